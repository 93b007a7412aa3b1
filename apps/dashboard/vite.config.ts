import { applicationConfig } from "@findersfee/ui/build/vite";
import { defineConfig } from "vite";

const PARTS = [
  "packages.ui.src.(?!charts|forms|lists|performance|components.(code|password|section|segments|sum|timeline)|overlays.combobox|formats.device|.*(-overlay|link-token|formats.rule-))",
  "dashboard.src.(shell.(texts|(forbidden|message|not-found)-page)|lists.(search|count-query)|requests.(?!download|new-key)|session.(?!use-change|delayed-changes))",
  "lucide-react.*icons.(?!download|external-link|flag|mouse-pointer|pencil|trash|undo)",
];

/**
 * The code that most pages share, and the code that lists share. Without these groups, a page would load 45
 * files instead of 20, and a connection with a round trip of 40 ms would show it 0.4 s later. A group takes
 * the imports of its modules, too, unless an earlier group has them. So a module of all pages that only
 * `lists` had would make all pages load the lists.
 */
const SHARED = [
  // Whole names only: packages with names that begin with react- belong to the menus, which load later.
  { name: "react", test: /node_modules[\\/](react|react-dom|scheduler|use-sync-external-store)[\\/]/ },
  {
    name: "router",
    test: /@tanstack[\\/](history|react-router|react-store|router-core|store)[\\/](?!.*useBlocker)/,
  },
  { name: "parts", test: new RegExp(`(${PARTS.join("|")}).`), minShareCount: 2 },
  // Without the code that sends requests: pages without lists need it, too.
  {
    name: "lists",
    test: /(ui.src.lists|dashboard.src.lists.(?!open-row-count|selection-offer|bulk|breakdown|views.(open|view-|texts)))./,
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
