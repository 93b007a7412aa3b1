import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";

/*
 * All content outside of the topmost modal dialog is inert: menus, comboboxes and toasts must be inside of it to be seen,
 * read out and clicked.
 */

interface Layers {
  top: HTMLDialogElement | null;
  /** The number of the topmost dialog, of all that were opened so far; 0: there is none. */
  top_number: number;
  /** How many dialogs were opened so far. */
  opened: () => number;
  add: (dialog: HTMLDialogElement) => void;
  remove: (dialog: HTMLDialogElement) => void;
}

const LayersContext = createContext<Layers | null>(null);

/** Keeps the open modal dialogs of the page in order. */
export function LayersProvider({ children }: { children: ReactNode }) {
  const count = useRef(0);
  const opened = useCallback(() => count.current, []);
  const [dialogs, setDialogs] = useState<{ dialog: HTMLDialogElement; number: number }[]>([]);
  const layers = useMemo<Layers>(
    () => ({
      top: dialogs.at(-1)?.dialog ?? null,
      top_number: dialogs.at(-1)?.number ?? 0,
      opened,
      add: (dialog) => {
        count.current += 1;
        const added = { dialog, number: count.current };
        setDialogs((all) => [...without(all, dialog), added]);
      },
      remove: (dialog) => setDialogs((all) => without(all, dialog)),
    }),
    [dialogs, opened],
  );
  return <LayersContext value={layers}>{children}</LayersContext>;
}

function without<Opened extends { dialog: HTMLDialogElement }>(
  all: Opened[],
  dialog: HTMLDialogElement,
): Opened[] {
  return all.filter((other) => other.dialog !== dialog);
}

export function useLayers(): Layers {
  const layers = useContext(LayersContext);
  if (layers === null) throw new Error("overlays need a LayersProvider above them");
  return layers;
}
