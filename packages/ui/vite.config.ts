import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

/** The gallery: `pnpm --filter @findersfee/ui dev`. */
export default defineConfig({
  root: "gallery",
  plugins: [react(), tailwindcss()],
  build: {
    // Inlined fonts and images would need `data:` in the content security policy.
    assetsInlineLimit: 0,
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    outDir: "../dist/gallery",
    emptyOutDir: true,
  },
});
