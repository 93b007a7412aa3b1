import { lazyPart } from "../requests/lazy-part.ts";
import { whenOnline } from "../requests/use-online.ts";

/*
 * Menus, comboboxes and the palette share a chunk of 34 kB, which loads when the pointer or the focus first reaches one of
 * their triggers.
 */

const load = () => whenOnline().then(() => import("./overlays.tsx"));

export const MenuOverlay = lazyPart(load, "MenuOverlay");
export const ComboboxOverlay = lazyPart(load, "ComboboxOverlay");
export const PaletteOverlay = lazyPart(load, "PaletteOverlay");

/** Begins to load the overlays. */
export function preloadOverlays(): void {
  void load();
}
