import { Button } from "@findersfee/ui/components/button";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { shortId } from "@findersfee/ui/formats/ids";
import { useSelection } from "@findersfee/ui/lists/selection";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { ChoiceChip, valuesOf } from "../../lists/choice-chip.tsx";
import { Filters, isFilterable } from "../../lists/filters.tsx";
import { PeriodChip } from "../../lists/period-chip.tsx";
import { Rows } from "../../lists/rows.tsx";
import { writeSearch } from "../../lists/search.ts";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { texts as frame_texts } from "../../shell/texts.ts";
import { error_names } from "../endpoints/error-names.ts";
import { EVENT_TYPES } from "../endpoints/event-types.ts";
import { EndpointFrame } from "../endpoints/frame.tsx";
import type { EndpointRow } from "../endpoints/queries.ts";
import { delivery_columns, few_delivery_columns } from "./columns.tsx";
import { DeliveryHours } from "./hours.tsx";
import { deliveriesQuery, deliveryCountsQuery } from "./queries.ts";
import { hasFailed } from "./state.tsx";
import { texts } from "./texts.ts";
import { useSend } from "./use-send.ts";

const route = getRouteApi("/o/$slug/developers/webhooks/$endpoint/{-$event}");

/** Loaded with the first delivery that is opened. */
const Detail = lazy(async () => ({ default: (await import("./detail.tsx")).Detail }));

/** Loaded when it is opened. */
const SendAllDialog = lazy(async () => ({ default: (await import("./send-all-dialog.tsx")).SendAllDialog }));

type Address = ListAddress<"state" | "type" | "error">;

/** Did it arrive, and if not, why? */
export function DeliveriesPage() {
  const { endpoint: id, event } = route.useParams();
  return (
    <EndpointFrame id={id} part="deliveries">
      {(endpoint) => <Deliveries endpoint={endpoint} event={event ?? null} />}
    </EndpointFrame>
  );
}

function Deliveries({ endpoint, event }: { endpoint: EndpointRow; event: string | null }) {
  const { id, enabled } = endpoint;
  const session = useSession();
  const { navigate } = useNavigation();
  const toast = useToast();
  const path = `${session.home}/developers/webhooks/${id}`;
  const search = route.useSearch();
  const address: Address = useListAddress(path, search);
  const query = useQuery(deliveriesQuery(session, id, search));
  const { data: counts } = useQuery(deliveryCountsQuery(session, id));
  const may_send = useMay("admin") && enabled;
  const { send, busy } = useSend(id);
  const [sending_all, setSendingAll] = useState(false);
  const rows = query.data?.data;
  const selection = useSelection(rows?.map(({ event_id }) => event_id) ?? []);
  const linkTo = (event_id: string) => `${path}/${event_id}${writeSearch(search)}`;
  const openNextFailure = () => {
    const from = rows?.findIndex(({ event_id }) => event_id === event) ?? -1;
    const next = rows?.slice(from + 1).find(hasFailed);
    if (next === undefined) toast({ text: texts.no_more_failures });
    else navigate(linkTo(next.event_id));
  };
  useShortcuts([
    { keys: "f", label: texts.next_failure, run: openNextFailure },
    ...(may_send ? [{ keys: "r", label: texts.send_now, run: () => event !== null && send([event]) }] : []),
  ]);
  return (
    <>
      <div className={event === null ? "" : "max-full:hidden"}>
        {counts !== undefined && <DeliveryHours counts={counts} />}
        {isFilterable(query.data, address) && (
          <DeliveryFilters address={address}>
            {may_send && rows?.some(hasFailed) && (
              <Button onClick={() => setSendingAll(true)}>{texts.send_all}</Button>
            )}
          </DeliveryFilters>
        )}
      </div>
      <div className={event === null ? "" : "grid gap-8 max-full:pt-4 full:grid-cols-2"}>
        <div className={event === null ? "" : "min-w-0 max-full:hidden"}>
          <Rows
            label={texts.title}
            address={address}
            query={query}
            columns={event === null ? delivery_columns : few_delivery_columns}
            keyOf={({ event_id }) => event_id}
            nameOf={({ event_type, event_id }) => `${event_type} ${shortId(event_id)}`}
            linkTo={({ event_id }) => linkTo(event_id)}
            open_key={event}
            {...(may_send ? { selection } : {})}
            actions={
              <Button busy={busy} onClick={() => send(selection.keys)}>
                {texts.send_again}
              </Button>
            }
            empty={{
              icon: Send,
              nothing_yet: texts.nothing_yet,
              hint: enabled ? texts.nothing_yet_hint : texts.disabled_hint,
              nothing_matches: texts.nothing_matches,
            }}
          />
        </div>
        {event !== null && (
          <Suspense fallback={<SkeletonRows label={frame_texts.loading} />}>
            <Detail
              key={event}
              endpoint={endpoint}
              event_id={event}
              back={`${path}${writeSearch(search)}`}
              onSend={may_send ? () => send([event]) : null}
              busy={busy}
            />
          </Suspense>
        )}
        {sending_all && (
          <Suspense>
            <SendAllDialog endpoint_id={id} search={search} onClose={() => setSendingAll(false)} />
          </Suspense>
        )}
      </div>
    </>
  );
}

function DeliveryFilters({ address, children }: { address: Address; children: ReactNode }) {
  return (
    <Filters address={address} label={texts.search}>
      <ChoiceChip address={address} field="state" name={texts.state} values={valuesOf(texts.states)} />
      <ChoiceChip
        address={address}
        field="type"
        name={texts.type}
        values={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
      />
      <ChoiceChip address={address} field="error" name={texts.error} values={valuesOf(error_names)} />
      <PeriodChip address={address} />
      {children}
    </Filters>
  );
}
