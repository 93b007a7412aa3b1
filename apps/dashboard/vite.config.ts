import { applicationConfig } from "@findersfee/ui/build/vite";
import { defineConfig } from "vite";

/**
 * What most pages share. Without these groups, a page would load 45 files instead of 20, and a connection with a round trip of
 * 40 ms shows it 0.4 s later.
 */
const SHARED = [
  // Whole names only: packages whose names begin with react- belong to the menus, which load later.
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/ },
  {
    name: "parts",
    test: /(ui.src.(?!charts|forms|.*(-overlay|link-token))|dashboard.src.(requests|lists|session)).|lucide-react/,
    minShareCount: 2,
  },
];

export default defineConfig(
  applicationConfig({
    folder: import.meta.dirname,
    input: ["index.html", "entrance.html"],
    groups: SHARED,
    service: { path: "", served: ["/trpc", "/account", "/auth"] },
  }),
);
