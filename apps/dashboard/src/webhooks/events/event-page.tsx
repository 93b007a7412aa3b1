import { Card } from "@findersfee/ui/components/card";
import { Code, indentedJson } from "@findersfee/ui/components/code";
import { ShortId } from "@findersfee/ui/components/copy";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { Menu } from "@findersfee/ui/overlays/menu";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { DetailPage } from "../../shell/detail-page.tsx";
import { NextTry } from "../deliveries/next-try.tsx";
import { toneOf } from "../deliveries/state.tsx";
import { texts as delivery_texts } from "../deliveries/texts.ts";
import { shortUrl } from "../endpoints/address.ts";
import { type Endpoint, endpointsQuery } from "../endpoints/queries.ts";
import { EVENTS, type EventDetail, eventQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/developers/events/$id");

type Delivery = EventDetail["deliveries"][number];

/** One event as it was sent, and who received it. */
export function EventPage() {
  const session = useSession();
  const { id } = route.useParams();
  const query = useQuery(eventQuery(session, id));
  const { data: endpoints } = useQuery(endpointsQuery(session));
  const may_send = useMay("admin");
  const parent = { to: `${session.home}/developers/events`, label: texts.title };
  return (
    <DetailPage
      query={query}
      parent={parent}
      title={({ type }) => type}
      beside={({ created_at }) => (
        <span className="inline-flex items-center gap-3 text-table">
          <Time at={created_at} />
          <ShortId id={id} />
        </span>
      )}
      actions={() => may_send && <SendTo id={id} endpoints={endpoints?.rows ?? []} />}
    >
      {(event) => (
        <div className="grid items-start gap-4 pt-2 pb-12 full:grid-cols-2">
          <Card title={texts.body}>
            <Code label={texts.body} copy={event.body}>
              {indentedJson(event.body)}
            </Code>
          </Card>
          <div className="grid min-w-0 gap-4">
            <Card title={texts.deliveries}>
              <Deliveries deliveries={event.deliveries} endpoints={endpoints?.rows ?? []} />
            </Card>
            <Card title={texts.locally}>
              <p className="mb-2 text-table text-muted">{texts.locally_hint}</p>
              <Code label={texts.locally} copy={commandFor(id)}>
                {commandFor(id)}
              </Code>
            </Card>
          </div>
        </div>
      )}
    </DetailPage>
  );
}

function commandFor(id: string): string {
  return `findersfee listen --forward-to http://localhost:4242/webhooks --replay ${id}`;
}

function SendTo({ id, endpoints }: { id: string; endpoints: readonly Endpoint[] }) {
  const { api } = useSession();
  const { change } = useChange(EVENTS);
  const enabled = endpoints.filter((endpoint) => endpoint.enabled);
  return (
    <Menu
      look="solid"
      align="end"
      items={
        enabled.length === 0
          ? [{ kind: "heading", id: "none", label: texts.no_endpoints }]
          : enabled.map((endpoint) => ({
              kind: "action",
              id: endpoint.id,
              label: shortUrl(endpoint.url),
              run: () =>
                change({
                  run: () => api.dashboard.events.send.mutate({ id, endpoint_id: endpoint.id }),
                  toast: { text: texts.sent_to(shortUrl(endpoint.url)) },
                }),
            }))
      }
    >
      {texts.send_to}
    </Menu>
  );
}

interface DeliveriesProps {
  deliveries: readonly Delivery[];
  endpoints: readonly Endpoint[];
}

function Deliveries({ deliveries, endpoints }: DeliveriesProps) {
  const { home } = useSession();
  if (deliveries.length === 0) return <p className="text-table text-muted">{texts.none_delivered}</p>;
  return (
    <ul className="grid gap-2 text-table">
      {deliveries.map((delivery) => {
        const endpoint = endpoints.find(({ id }) => id === delivery.endpoint_id);
        return (
          <li
            key={delivery.endpoint_id}
            className="grid gap-0.5 border-line not-last:border-b not-last:pb-2 wide:grid-cols-[minmax(0,1fr)_auto]"
          >
            {endpoint === undefined ? (
              <span className="text-muted">{texts.deleted_endpoint}</span>
            ) : (
              <Link
                to={`${home}/developers/webhooks/${delivery.endpoint_id}/${delivery.event_id}`}
                className="truncate font-medium hover:underline"
              >
                {shortUrl(endpoint.url)}
              </Link>
            )}
            <DeliveryState delivery={delivery} />
          </li>
        );
      })}
    </ul>
  );
}

function DeliveryState({
  delivery: { state, attempts, last_attempt_at, next_attempt_at },
}: {
  delivery: Delivery;
}) {
  const has_failed = state === "exhausted" || (state === "pending" && attempts > 0);
  const tone = toneOf({ state, last_error_code: has_failed ? "http_status" : null });
  return (
    <span className="flex flex-wrap items-center gap-x-3 text-muted">
      <State tone={tone}>
        {state === "pending" ? <NextTry at={next_attempt_at} /> : delivery_texts.states[state]}
      </State>
      <span>{delivery_texts.tries_of(attempts)}</span>
      {last_attempt_at !== null && <Time at={last_attempt_at} />}
    </span>
  );
}
