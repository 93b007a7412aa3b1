import { Suspense, useLayoutEffect, useState } from "react";
import type { PaletteCommand } from "./items.ts";
import { PaletteOverlay, preloadOverlays } from "./lazy.tsx";

/** Opens with Ctrl+K or ⌘K, from everywhere. */
export function Palette({ title, commands }: { title: string; commands: readonly PaletteCommand[] }) {
  const [wanted, setWanted] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
      event.preventDefault();
      preloadOverlays();
      setWanted(true);
      setOpen((now) => !now);
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  if (!wanted) return null;
  return (
    <Suspense>
      <PaletteOverlay open={open} onClose={() => setOpen(false)} title={title} commands={commands} />
    </Suspense>
  );
}
