import { useSyncExternalStore } from "react";

let offered: readonly string[] | null = null;
const listeners = new Set<() => void>();

/** Opens the preview of deciding payments again, on whichever page the reader is; null closes it. */
export function previewPayments(ids: readonly string[] | null): void {
  offered = ids;
  for (const listener of listeners) listener();
}

/** The payments with an open preview. A toast can open it after the page that showed the toast is gone. */
export function usePreviewedPayments(): readonly string[] | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => offered,
  );
}
