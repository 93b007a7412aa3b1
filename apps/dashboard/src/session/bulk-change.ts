import { useSyncExternalStore } from "react";

/** The most rows of one request of a change. */
export const BULK_PART = 100;

/** A change of many rows, in requests of some of them. */
export interface BulkChange {
  /** The rows as they were confirmed: rows that match a filter later are not among them. */
  ids: readonly string[];
  /** For example "Approve 812 affiliates". */
  title: string;
  /** The button that begins; null: a dialog has asked already. */
  confirm: string | null;
  /** Changes some rows, all or none; returns the number of those that were not so already. */
  send: (ids: string[]) => Promise<number>;
  /** The page of a row that was not changed. */
  pathOf: (id: string) => string;
}

let current: BulkChange | null = null;
let ended = 0;
const listeners = new Set<() => void>();

function notify(): void {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Opens a dialog that makes the change; null closes it. */
export function startBulkChange(change: BulkChange | null): void {
  current = change;
  notify();
}

export function useBulkChange(): BulkChange | null {
  return useSyncExternalStore(subscribe, () => current);
}

/** After a change has ended, or was stopped: the rows that it was for are not selected any more. */
export function endBulkChange(): void {
  ended += 1;
  notify();
}

/** The number of changes that have ended. */
export function useEndedBulkChanges(): number {
  return useSyncExternalStore(subscribe, () => ended);
}
