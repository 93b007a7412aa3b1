import { useSyncExternalStore } from "react";

function watchConnection(changed: () => void): () => void {
  addEventListener("online", changed);
  addEventListener("offline", changed);
  return () => {
    removeEventListener("online", changed);
    removeEventListener("offline", changed);
  };
}

/** Whether the browser has a network. */
export function useOnline(): boolean {
  return useSyncExternalStore(watchConnection, () => navigator.onLine);
}

/** Resolves once the browser has a network: code that is asked for without one fails, in some browsers forever. */
export function whenOnline(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => {
    addEventListener("online", () => resolve(), { once: true });
  });
}
