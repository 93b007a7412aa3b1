import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import type { Connection } from "./queries.ts";
import { texts } from "./texts.ts";

/** Whether messages were refused since the last one that was accepted. */
export function isRefusing({ refused_at, last_message_at }: Connection): boolean {
  return refused_at !== null && (last_message_at === null || refused_at > last_message_at);
}

const broken_states = ["failed", "events_missing", "disabled", "deleted", "moved", "undeletable"] as const;

/** The state of the endpoint that the service created at Stripe, if it needs a person; null: it does not. */
export function brokenState({
  endpoint_state,
}: Pick<Connection, "endpoint_state">): (typeof broken_states)[number] | null {
  return broken_states.find((state) => state === endpoint_state) ?? null;
}

/** The state of a connection: whether messages arrive. */
export function ConnectionState({ connection }: { connection: Connection | undefined }) {
  if (connection === undefined) return <State tone="none">{texts.not_connected}</State>;
  if (connection.endpoint_state === "creating") return <State tone="waiting">{texts.connecting}</State>;
  if (connection.endpoint_state === "deleting") return <State tone="waiting">{texts.disconnecting}</State>;
  if (connection.endpoint_state === "failed") return <State tone="failed">{texts.not_created}</State>;
  if (brokenState(connection) !== null) return <State tone="failed">{texts.needs_repair}</State>;
  if (isRefusing(connection)) return <State tone="failed">{texts.refusing}</State>;
  if (connection.last_message_at === null) return <State tone="waiting">{texts.waiting}</State>;
  return (
    <State tone="done">
      <span className="text-ink">
        {texts.last_message} <Time at={connection.last_message_at} show="relative" />
      </span>
    </State>
  );
}
