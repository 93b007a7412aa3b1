import { createContext, type ReactNode, useContext, useMemo, useState } from "react";

/*
 * All content outside of the topmost modal dialog is inert: menus, comboboxes and toasts must be inside of it to be seen,
 * read out and clicked.
 */

interface Layers {
  top: HTMLDialogElement | null;
  add: (dialog: HTMLDialogElement) => void;
  remove: (dialog: HTMLDialogElement) => void;
}

const LayersContext = createContext<Layers | null>(null);

/** Keeps the open modal dialogs of the page in order. */
export function LayersProvider({ children }: { children: ReactNode }) {
  const [dialogs, setDialogs] = useState<HTMLDialogElement[]>([]);
  const layers = useMemo<Layers>(
    () => ({
      top: dialogs.at(-1) ?? null,
      add: (dialog) => setDialogs((all) => [...all.filter((other) => other !== dialog), dialog]),
      remove: (dialog) => setDialogs((all) => all.filter((other) => other !== dialog)),
    }),
    [dialogs],
  );
  return <LayersContext value={layers}>{children}</LayersContext>;
}

export function useLayers(): Layers {
  const layers = useContext(LayersContext);
  if (layers === null) throw new Error("overlays need a LayersProvider above them");
  return layers;
}
