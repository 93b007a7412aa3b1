import { Button } from "@findersfee/ui/components/button";
import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Notice } from "@findersfee/ui/components/notice";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { intakeAddress } from "./address.ts";
import { EndpointNotice, RightsNotice } from "./managed-endpoint.tsx";
import { CONNECTIONS, type Connection } from "./queries.ts";
import { brokenState, isRefusing } from "./state.tsx";
import { texts } from "./texts.ts";

/** The health and the settings of a connection. */
export function ConnectionFacts({ connection }: { connection: Connection }) {
  const { name, missing_events, refused_reason, refused_at } = connection;
  return (
    <div className="grid gap-4 pt-2 pb-12">
      {isRefusing(connection) && refused_at !== null && (
        <Notice tone="bad" title={texts.refused}>
          <p>{refused_reason}</p>
          <p className="text-muted">
            {texts.refused_at} <Time at={refused_at} show="relative" />
          </p>
        </Notice>
      )}
      <EndpointNotice connection={connection} />
      <RightsNotice connection={connection} />
      {connection.endpoint_state === null && missing_events !== null && missing_events.length > 0 && (
        <Notice tone="warn" title={texts.missing(missing_events.length)}>
          <p>{texts.missing_hint}</p>
          <p className="font-mono text-meta">{missing_events.join(", ")}</p>
        </Notice>
      )}
      <div className="grid items-start gap-4 full:grid-cols-2">
        <Card title={texts.about}>
          <About connection={connection} />
        </Card>
        {name === "stripe" && (
          <div className="grid gap-4">
            <MissedEvents connection={connection} />
            <EventTypes connection={connection} />
          </div>
        )}
      </div>
    </div>
  );
}

function About({ connection }: { connection: Connection }) {
  const { organization } = useSession();
  const { name, livemode, api_key_last_four, previous_secret_expires_at, connected_accounts } = connection;
  const address = intakeAddress(name, organization.id);
  return (
    <Facts>
      <Fact label={texts.last_message}>
        {connection.last_message_at === null ? (
          texts.none_yet
        ) : (
          <>
            <Time at={connection.last_message_at} /> · {connection.last_message_type}
          </>
        )}
      </Fact>
      <Fact label={texts.address}>
        <span className="flex min-w-0 items-start gap-1">
          <span dir="ltr" className="min-w-0 break-all">
            {address}
          </span>
          <CopyButton text={address} quiet />
        </span>
      </Fact>
      <Fact label={texts.secret}>
        {connection.endpoint_state !== null && connection.endpoint_id === null
          ? texts.none_yet
          : texts.stored}
        {previous_secret_expires_at !== null && (
          <span className="block text-muted">
            {texts.former_until} <Time at={previous_secret_expires_at} />
          </span>
        )}
      </Fact>
      {name === "stripe" && (
        <>
          <Fact label={texts.mode}>{livemode ? texts.modes.live : texts.modes.test}</Fact>
          {connection.endpoint_id !== null && (
            <Fact label={texts.endpoint_at_stripe}>
              <span className="break-all">{texts.created_here(connection.endpoint_id)}</span>
            </Fact>
          )}
          <Fact label={texts.key}>
            {api_key_last_four === null ? texts.no_key : texts.key_ends(api_key_last_four)}
          </Fact>
          <Fact label={texts.accounts}>
            {connected_accounts.length === 0 ? texts.no_accounts : connected_accounts.join(", ")}
          </Fact>
        </>
      )}
      <Fact label={texts.connected_since}>
        <Time at={connection.created_at} />
      </Fact>
    </Facts>
  );
}

function MissedEvents({ connection }: { connection: Connection }) {
  const { api } = useSession();
  const { change, busy } = useChange(CONNECTIONS);
  const may_ask = useMay("admin") && connection.api_key_last_four !== null;
  const { reconcile_requested_at, reconciled_at, reconciled_events, reconcile_error } = connection;
  const is_running = reconcile_requested_at !== null;
  return (
    <Card
      title={texts.missed}
      beside={
        may_ask && (
          <Button
            busy={busy || is_running}
            onClick={() =>
              change({
                run: () => api.dashboard.processors.reconcile.mutate({ name: "stripe" }),
                toast: { text: texts.reconcile_asked },
              })
            }
          >
            {texts.reconcile}
          </Button>
        )
      }
    >
      <p className="mb-3 text-table text-muted">{texts.missed_hint}</p>
      <p role="status" className="text-table">
        {is_running ? (
          <State tone="waiting">{texts.reconciling}</State>
        ) : reconcile_error !== null ? (
          <>
            <State tone="failed">{texts.reconcile_failed}</State>
            <span className="block text-muted">{reconcile_error}</span>
          </>
        ) : (
          <>
            {reconciled_at === null ? (
              texts.not_reconciled
            ) : (
              <>
                {texts.reconciled} <Time at={reconciled_at} />
              </>
            )}
            {reconciled_events !== null && ` · ${texts.imported(reconciled_events)}`}
          </>
        )}
      </p>
    </Card>
  );
}

function EventTypes({ connection }: { connection: Connection }) {
  const { api } = useSession();
  const { change, busy } = useChange(CONNECTIONS);
  const may_ask = useMay("admin") && connection.api_key_last_four !== null;
  const { missing_events, events_checked_at, events_check_error } = connection;
  const is_complete = missing_events !== null && missing_events.length === 0;
  const broken = brokenState(connection);
  return (
    <Card
      title={texts.types}
      beside={
        may_ask && (
          <Button
            busy={busy}
            onClick={() =>
              change({
                run: () => api.dashboard.processors.checkEvents.mutate({ name: "stripe" }),
                toast: { text: texts.check_asked },
              })
            }
          >
            {texts.check}
          </Button>
        )
      }
    >
      <p className="text-table">
        {broken !== null ? (
          <State tone="failed">{texts.endpoint[broken]}</State>
        ) : is_complete ? (
          <State tone="done">{texts.types_complete}</State>
        ) : missing_events === null ? (
          <State tone="none">
            {connection.api_key_last_four === null ? texts.types_need_key : texts.types_unknown}
          </State>
        ) : (
          <State tone="warning">{texts.missing(missing_events.length)}</State>
        )}
        {broken === null && events_check_error !== null && (
          <span className="block text-muted">{events_check_error}</span>
        )}
        {events_checked_at !== null && (
          <span className="block text-muted">
            {texts.checked} <Time at={events_checked_at} />
          </span>
        )}
      </p>
    </Card>
  );
}
