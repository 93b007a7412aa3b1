/* The chunk that lazy.tsx loads. */
export { ComboboxOverlay } from "./combobox-overlay.tsx";
export { MenuOverlay } from "./menu-overlay.tsx";
export { PaletteOverlay } from "./palette-overlay.tsx";
