# Built in one stage, run in another as an unprivileged user. No install script of any package runs.
FROM node:26-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY demo ./demo
COPY web ./web
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:26-slim
ENV NODE_ENV=production BELLWIRE_HOST=0.0.0.0 BELLWIRE_PORT=8080 BELLWIRE_DATABASE=/data/bellwire.db BELLWIRE_BULK_DIRECTORY=/data/bulk
WORKDIR /app
COPY LICENSE package.json ./
COPY --from=build /build/node_modules ./node_modules
COPY --from=build /build/dist ./dist
# The base image provides this user. Root owns the code, so the server can't modify it.
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.BELLWIRE_PORT}/livez`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/src/cli.js"]
CMD ["serve"]
