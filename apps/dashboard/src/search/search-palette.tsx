import { Palette, showPalette } from "@findersfee/ui/overlays/palette";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { texts } from "../shell/texts.ts";

const SearchOverlay = lazyPart(() => import("./search-overlay.tsx"), "SearchOverlay");

/** The search of everything, which loads when it is first opened: Ctrl+K or /. */
export function SearchPalette() {
  useShortcuts([{ keys: "/", label: texts.search, run: showPalette }]);
  return <Palette Content={SearchOverlay} />;
}
