// How the page is built: into dist/page, with hashed names, no inline code, and charts in a file of their own.
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Nothing is painted before the script has set the theme: a dark page must not begin with a white flash. */
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
    // The package ships code of others inside these files, and so their licenses.
    license: { fileName: "licenses.md" },
    rolldownOptions: {
      output: {
        // What most views are made of comes in one file: many small ones cost a round trip each and compress less.
        codeSplitting: { groups: [{ name: "parts", test: /web\/(parts|format)\/.*tsx?$/, minShareCount: 3 }] },
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
