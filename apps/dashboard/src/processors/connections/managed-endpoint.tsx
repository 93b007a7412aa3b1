import { nameOfRight, PROMO_CODE_RIGHTS, stripe_rights } from "@findersfee/contract/processors/stripe-rights";
import { Button } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { useQuery } from "@tanstack/react-query";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { CONNECTIONS, type Connection, stripeSetupQuery } from "./queries.ts";
import { brokenState } from "./state.tsx";
import { texts } from "./texts.ts";

/** The problem with the endpoint that the service created at Stripe, and its fix. */
export function EndpointNotice({ connection }: { connection: Connection }) {
  const { endpoint_state, endpoint_error, missing_events } = connection;
  if (endpoint_state === null) return null;
  if (endpoint_state === "active") {
    return endpoint_error === null ? null : (
      <Notice tone="warn" title={texts.endpoint.unchecked}>
        {endpoint_error}
      </Notice>
    );
  }
  const tone =
    endpoint_state === "failed" || endpoint_state === "undeletable"
      ? "bad"
      : brokenState(connection) !== null
        ? "warn"
        : "info";
  return (
    <Notice tone={tone} title={texts.endpoint[endpoint_state]} actions={<Mend connection={connection} />}>
      <p>{endpoint_error ?? texts.endpoint_hints[endpoint_state]}</p>
      {endpoint_state === "events_missing" && missing_events !== null && (
        <p className="font-mono text-meta">{missing_events.join(", ")}</p>
      )}
    </Notice>
  );
}

/** Repairs the endpoint, or deletes it again, in one click. */
function Mend({ connection: { endpoint_state } }: { connection: Connection }) {
  const { api } = useSession();
  const { change, busy } = useChange(CONNECTIONS);
  const may_change = useMay("admin");
  if (!may_change || endpoint_state === "creating" || endpoint_state === "deleting") return null;
  if (endpoint_state === "undeletable") {
    const disconnect = (leave_endpoint: boolean) =>
      change({
        run: () => api.dashboard.processors.disconnect.mutate({ name: "stripe", leave_endpoint }),
        toast: { text: leave_endpoint ? texts.disconnected : texts.disconnecting },
      });
    return (
      <div className="flex flex-wrap gap-2">
        <Button busy={busy} onClick={() => disconnect(false)}>
          {texts.try_again}
        </Button>
        <Button busy={busy} onClick={() => disconnect(true)}>
          {texts.leave_endpoint}
        </Button>
      </div>
    );
  }
  return (
    <Button
      busy={busy}
      onClick={() =>
        change({
          run: () => api.dashboard.processors.repairStripe.mutate({}),
          toast: { text: texts.repair_asked },
        })
      }
    >
      {endpoint_state === "failed" ? texts.try_again : texts.repair}
    </Button>
  );
}

/** The permissions that the key lacks, with the consequences. */
export function RightsNotice({ connection }: { connection: Connection }) {
  const { data: setup } = useQuery(stripeSetupQuery(useSession()));
  const uses_codes = setup?.uses_promo_codes ?? true;
  const lacks = stripe_rights.filter(
    ({ id }) =>
      connection.missing_rights?.includes(id) === true && (uses_codes || !PROMO_CODE_RIGHTS.includes(id)),
  );
  if (lacks.length === 0) return null;
  return (
    <Notice tone="warn" title={texts.lacks(lacks.length)}>
      <ul>
        {lacks.map(({ id, reason }) => (
          <li key={id}>
            <span className="font-medium">{nameOfRight(id)}</span>{" "}
            <span className="text-muted">{reason}</span>
          </li>
        ))}
      </ul>
      <p className="pt-1">{texts.lacks_hint}</p>
    </Notice>
  );
}
