import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** The changes of one thing, by its id in the audit log, below the organization's address. */
export function historyOf(home: string, thing: string): string {
  return `${home}/settings/history?thing=${encodeURIComponent(thing)}`;
}

/** The entry of a menu that leads to a thing's changes. */
export function useHistoryItem(thing: string) {
  const { home } = useSession();
  return { kind: "link", id: "history", label: texts.history, to: historyOf(home, thing) } as const;
}
