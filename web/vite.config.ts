// Build of the page: into dist/page, with hashed file names and without inline code.
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Blocks rendering until the script has set the theme, so that dark mode doesn't start with a white flash. */
const themeBeforePaint: Plugin = {
  name: "theme-before-paint",
  transformIndexHtml: {
    order: "post",
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
};

export default defineConfig({
  root: here("."),
  base: "/",
  plugins: [themeBeforePaint],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: here("../dist/page"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Bundled third-party code requires its licenses.
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      input: { index: here("index.html"), "service-worker": here("service-worker.ts") },
      output: {
        // The worker's URL must stay the same.
        entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
        // Shared components are one chunk: many small ones cost round trips and compress worse.
        codeSplitting: {
          groups: [
            {
              name: "parts",
              test: /web\/(parts\/(?!history|share)|parts\/(history\/lazy|share\/share-button)|format\/).*tsx?$/,
              minShareCount: 3,
            },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ["/api", "/admin", "/changes", "/openapi.json", "/page.json", "/readyz", "/docs"].map((path) => [
        path,
        process.env.BELLWIRE_ADDRESS ?? "http://127.0.0.1:8080",
      ]),
    ),
  },
});
