import { useSyncExternalStore } from "react";
import { before_sign_out } from "./session.tsx";

/** The time in which a change can be undone before it is sent. Toasts stay as long. */
const DELAY_MILLISECONDS = 6_000;

/** A change that waits to be sent. */
interface Waiting {
  ids: readonly string[];
  /** `keepalive`: the page is being left, and the request must outlive it. */
  send: (options: { keepalive: boolean }) => Promise<unknown>;
  timer: ReturnType<typeof setTimeout>;
}

let waiting: readonly Waiting[] = [];
const listeners = new Set<() => void>();

function set(next: readonly Waiting[]): void {
  waiting = next;
  for (const listener of listeners) listener();
}

function take(change: Waiting): boolean {
  if (!waiting.includes(change)) return false;
  clearTimeout(change.timer);
  set(waiting.filter((other) => other !== change));
  return true;
}

/**
 * Sends a change in a few seconds, or when the page is left. Returns the function that takes it back before; that returns
 * false once it was sent. Changes wait outside of components, so they are also sent if the reader goes to another page.
 */
export function delay({ ids, send }: Pick<Waiting, "ids" | "send">): () => boolean {
  const change: Waiting = {
    ids,
    send,
    timer: setTimeout(() => {
      if (take(change)) void send({ keepalive: false });
    }, DELAY_MILLISECONDS),
  };
  set([...waiting, change]);
  return () => take(change);
}

const sendAll = () => Promise.all(waiting.filter(take).map(({ send }) => send({ keepalive: true })));

window.addEventListener("pagehide", () => void sendAll());
// Afterwards, nobody may send them any more.
before_sign_out.add(sendAll);

let ids_of: { waiting: readonly Waiting[]; ids: ReadonlySet<string> } = { waiting, ids: new Set() };

function waitingIds(): ReadonlySet<string> {
  if (ids_of.waiting !== waiting) ids_of = { waiting, ids: new Set(waiting.flatMap(({ ids }) => ids)) };
  return ids_of.ids;
}

/** The ids of all rows with a change that waits to be sent. */
export function useWaitingIds(): ReadonlySet<string> {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, waitingIds);
}
