import { Button } from "@findersfee/ui/components/button";
import { Empty } from "@findersfee/ui/components/empty";
import { FilterBar, FilterChip } from "@findersfee/ui/lists/filter-bar";
import { List } from "@findersfee/ui/lists/list";
import { useSelection } from "@findersfee/ui/lists/selection";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { error_names } from "../endpoints/error-names.ts";
import { EVENT_TYPES } from "../endpoints/event-types.ts";
import { EndpointFrame } from "../endpoints/frame.tsx";
import type { EndpointRow } from "../endpoints/queries.ts";
import { PeriodChip } from "../lists/period-chip.tsx";
import { rowPager } from "../lists/row-pager.ts";
import { writeSearch } from "../lists/search.ts";
import { type ListAddress, useListAddress } from "../lists/use-list-address.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import { delivery_columns, few_delivery_columns } from "./columns.tsx";
import { Detail } from "./detail.tsx";
import { DeliveryHours } from "./hours.tsx";
import { deliveriesQuery, deliveryCountsQuery } from "./queries.ts";
import { hasFailed } from "./state.tsx";
import { texts } from "./texts.ts";
import { useSend } from "./use-send.ts";

const route = getRouteApi("/o/$slug/developers/webhooks/$endpoint/{-$event}");

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

function Deliveries({ endpoint: { id, enabled }, event }: { endpoint: EndpointRow; event: string | null }) {
  const session = useSession();
  const { navigate } = useNavigation();
  const toast = useToast();
  const path = `${session.home}/developers/webhooks/${id}`;
  const search = route.useSearch();
  const address: Address = useListAddress(path, search);
  const { data, error, isPlaceholderData, refetch } = useQuery(deliveriesQuery(session, id, search));
  const { data: counts } = useQuery(deliveryCountsQuery(session, id));
  const may_send = useMay("admin") && enabled;
  const { send, busy } = useSend(id);
  const rows = data?.data;
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
  const next_cursor = data?.pagination.next_cursor ?? null;
  return (
    <>
      <div className={event === null ? "" : "max-full:hidden"}>
        {counts !== undefined && <DeliveryHours counts={counts} />}
        <Filters address={address} />
      </div>
      <div className={event === null ? "" : "grid gap-8 max-full:pt-4 full:grid-cols-2"}>
        <div className={event === null ? "" : "min-w-0 max-full:hidden"}>
          <List
            label={texts.title}
            columns={event === null ? delivery_columns : few_delivery_columns}
            rows={rows}
            keyOf={({ event_id }) => event_id}
            nameOf={({ event_type, event_id }) => `${event_type} ${event_id.slice(0, 8)}`}
            linkTo={({ event_id }) => linkTo(event_id)}
            open_key={event}
            busy={isPlaceholderData}
            {...(may_send ? { selection } : {})}
            actions={
              <Button busy={busy} onClick={() => send(selection.keys)}>
                {texts.send_again}
              </Button>
            }
            failure={
              error === null ? undefined : <FailureNotice error={error} onRetry={() => void refetch()} />
            }
            empty={<NoDeliveries address={address} />}
            pager={rowPager(data && { newer: null, older: next_cursor }, address)}
          />
        </div>
        {event !== null && (
          <Detail
            key={event}
            endpoint_id={id}
            event_id={event}
            back={`${path}${writeSearch(search)}`}
            onSend={may_send ? () => send([event]) : null}
            busy={busy}
          />
        )}
      </div>
    </>
  );
}

function Filters({ address: { search, change } }: { address: Address }) {
  const one = (value: string | undefined) => (value === undefined ? [] : [value]);
  return (
    <FilterBar label={texts.search} text={search.text ?? ""} onText={(text) => change({ text })}>
      <FilterChip
        name={texts.state}
        values={Object.entries(texts.states).map(([value, label]) => ({ value, label }))}
        chosen={one(search.state)}
        onChoose={([state]) => change({ state })}
      />
      <FilterChip
        name={texts.type}
        values={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
        chosen={one(search.type)}
        onChoose={([type]) => change({ type })}
      />
      <FilterChip
        name={texts.error}
        values={Object.entries(error_names).map(([value, label]) => ({ value, label }))}
        chosen={one(search.error)}
        onChoose={([error]) => change({ error })}
      />
      <PeriodChip period={search.period} onChoose={(period) => change({ period })} />
    </FilterBar>
  );
}

function NoDeliveries({ address: { is_filtered, search, clear } }: { address: Address }) {
  if (!is_filtered) {
    return (
      <Empty icon={Send} title={texts.nothing_yet}>
        {texts.nothing_yet_hint}
      </Empty>
    );
  }
  const named = search.text === undefined ? "" : ` ${texts.matches_text(search.text)}`;
  return (
    <Empty
      title={`${texts.nothing_matches}${named}`}
      action={<Button onClick={clear}>{texts.clear}</Button>}
    />
  );
}
