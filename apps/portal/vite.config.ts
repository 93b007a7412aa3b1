import { applicationConfig } from "@findersfee/ui/build/vite";
import { defineConfig } from "vite";

/**
 * Modules that pages share, in a few files: one for all pages, and one for a program's pages. Modules of
 * fewer pages are not among them, since each page would load them.
 */
const SHARED = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/ },
  {
    name: "parts",
    test: /ui.src.(components.(button|clock|controls|copy|field|notice)|formats.clock|navigation|requests|shell.heading|texts)|portal.src.(shell.(?!program-shell|menu|navigation|places|page)|language.language|requests|session.session)./,
    minShareCount: 2,
  },
  // Of all pages of a program.
  {
    name: "shell",
    test: /ui.src.components.skeleton|portal.src.(shell.places|session.(program-look|use-own-language))|icons.(banknote|receipt-text|users).mjs|react-query.*useQuery.js/,
    minShareCount: 2,
  },
  // A group takes the imports of its modules, too.
  { name: "money", test: /ui.src.formats.money/, minShareCount: 2 },
  {
    name: "program",
    test: /ui.src.(components.values|formats.dates)|portal.src.language.use-formats./,
    minShareCount: 2,
  },
];

export default defineConfig(
  applicationConfig({
    folder: import.meta.dirname,
    input: ["index.html", "embed.html", "view.html"],
    groups: SHARED,
    service: { path: "/portal", served: ["/trpc", "/auth"] },
  }),
);
