import { applicationConfig } from "@findersfee/ui/build/vite";
import { defineConfig } from "vite";

/** What all pages share, in two files. */
const SHARED = [
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/ },
  {
    name: "parts",
    test: /(ui.src.(?!charts|.*-overlay)|portal.src.(frame|language|requests|session)).|lucide-react/,
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
