import { relative } from "node:path";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** The service that answers the requests of `pnpm --filter @findersfee/dashboard dev`. */
const SERVICE = "http://127.0.0.1:3000";

/** Lists the files that the build contains, for the notices of their licenses: `.vite/modules.json`. */
const listModules: Plugin = {
  name: "list-modules",
  generateBundle(_options, bundle) {
    const files = Object.values(bundle).flatMap((part) =>
      part.type === "chunk" ? part.moduleIds : part.originalFileNames,
    );
    const modules = files.map((file) => relative(import.meta.dirname, file.split("?")[0] ?? "")).sort();
    this.emitFile({
      type: "asset",
      fileName: ".vite/modules.json",
      source: JSON.stringify([...new Set(modules)]),
    });
  },
};

/**
 * What most pages share. Without these groups, a page would load 45 files instead of 20, and a connection with a round trip of
 * 40 ms shows it 0.4 s later.
 */
const SHARED = [
  // Whole names only: packages whose names begin with react- belong to the menus, which load later.
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/ },
  {
    name: "parts",
    test: /(ui.src.(?!charts|.*-overlay)|dashboard.src.(requests|lists|session)).|lucide-react/,
    minShareCount: 2,
  },
];

export default defineConfig({
  // The server says where the application is, by <base>.
  base: "./",
  plugins: [react(), tailwindcss(), listModules],
  build: {
    manifest: true,
    rolldownOptions: {
      input: ["index.html", "entrance.html"],
      output: { codeSplitting: { groups: SHARED } },
    },
    // Inlined fonts and images would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    // The polyfill is an inline script.
    modulePreload: { polyfill: false },
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    emptyOutDir: true,
  },
  server: {
    proxy: { "/trpc": SERVICE, "/account": SERVICE, "/auth": SERVICE },
  },
});
