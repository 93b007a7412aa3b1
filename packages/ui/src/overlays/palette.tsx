import { Search } from "lucide-react";
import { type ComponentType, Suspense, useLayoutEffect, useState } from "react";
import { Button } from "../components/button.tsx";
import { preloadOverlays } from "./lazy.tsx";

const SHOW = "show-palette";

/** Opens the palette of the page. */
export function showPalette(): void {
  preloadOverlays();
  document.dispatchEvent(new Event(SHOW));
}

/** Opens the palette, and shows its keyboard shortcut. */
export function PaletteButton({ label }: { label: string }) {
  const is_mac = /Mac|iPhone|iPad/.test(navigator.userAgent);
  return (
    <Button
      look="quiet"
      shape="row"
      className="justify-start text-muted"
      aria-haspopup="dialog"
      aria-keyshortcuts={is_mac ? "Meta+K" : "Control+K"}
      onPointerEnter={preloadOverlays}
      onClick={showPalette}
    >
      <Search aria-hidden size={16} className="shrink-0" />
      <span className="min-w-0 flex-1 truncate text-left font-normal not-full:sr-only max-wide:not-sr-only">
        {label}
      </span>
      <kbd aria-hidden className="font-sans text-meta text-muted not-full:hidden">
        {is_mac ? "⌘K" : "Ctrl K"}
      </kbd>
    </Button>
  );
}

export interface PaletteContentProps {
  open: boolean;
  onClose: () => void;
}

/** Opens with Ctrl+K or ⌘K, from everywhere. Its content, a `PaletteOverlay`, is not rendered before. */
export function Palette({ Content }: { Content: ComponentType<PaletteContentProps> }) {
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
    const show = () => {
      setWanted(true);
      setOpen(true);
    };
    document.addEventListener("keydown", press);
    document.addEventListener(SHOW, show);
    return () => {
      document.removeEventListener("keydown", press);
      document.removeEventListener(SHOW, show);
    };
  }, []);
  if (!wanted) return null;
  return (
    <Suspense>
      <Content open={open} onClose={() => setOpen(false)} />
    </Suspense>
  );
}
