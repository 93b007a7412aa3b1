import type { SecurityEvent } from "@findersfee/contract/identity/security-events";

type Event = Pick<SecurityEvent, "kind" | "detail">;

/** The name or the change that an event is about; null: its kind says everything. */
export function shownDetail({ kind, detail }: Event): string | null {
  const is_about_detail =
    kind.startsWith("passkey_") || kind.endsWith("network_refused") || kind === "single_sign_on_changed";
  return is_about_detail ? detail : null;
}
