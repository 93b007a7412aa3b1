import { applicationConfig } from "@findersfee/ui/build/vite";
import { defineConfig } from "vite";

/** What all pages share, in two files. Modules of some pages are not among them: each page would load them. */
const SHARED = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/ },
  {
    name: "parts",
    test: /ui.src.(components.(button|controls|copy|field|notice|values)|formats.dates|navigation|requests|shell.heading|texts)|portal.src.(frame.(?!program-frame|menu|navigation|places)|language|requests|session)./,
    minShareCount: 2,
  },
];

export default defineConfig(
  applicationConfig({
    folder: import.meta.dirname,
    input: ["index.html", "embed.html"],
    groups: SHARED,
    service: { path: "/portal", served: ["/trpc", "/auth"] },
  }),
);
