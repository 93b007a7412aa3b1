import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { whenOnline } from "../requests/use-online.ts";

/*
 * Menus, comboboxes and the palette share a chunk of 34 kB, which loads when the pointer or the focus first reaches one of
 * their triggers.
 */

type Overlays = typeof import("./overlays.tsx");

const load = () => whenOnline().then(() => import("./overlays.tsx"));

function overlay<Name extends keyof Overlays>(name: Name): LazyExoticComponent<Overlays[Name]> {
  return lazy(async () => ({ default: (await load())[name] as ComponentType as Overlays[Name] }));
}

export const MenuOverlay = overlay("MenuOverlay");
export const ComboboxOverlay = overlay("ComboboxOverlay");
export const PaletteOverlay = overlay("PaletteOverlay");

/** Begins to load the overlays. */
export function preloadOverlays(): void {
  void load();
}
