import { Button } from "@findersfee/ui/components/button";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { shortId } from "@findersfee/ui/formats/ids";
import { useSelection } from "@findersfee/ui/lists/selection";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useShortcuts } from "@findersfee/ui/shell/shortcuts";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Send } from "lucide-react";
import { type ReactNode, Suspense, useState } from "react";
import { ChoiceChip, valuesOf } from "../../lists/choice-chip.tsx";
import { Filters, isFilterable } from "../../lists/filters.tsx";
import { PeriodChip } from "../../lists/period-chip.tsx";
import { newestOf, RowCountText } from "../../lists/row-count.tsx";
import { Rows } from "../../lists/rows.tsx";
import { writeSearch } from "../../lists/search.ts";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { Views } from "../../lists/views/views.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { ExportButton } from "../../work/export-button.tsx";
import { error_names } from "../endpoints/error-names.ts";
import { EVENT_TYPES } from "../endpoints/event-types.ts";
import { EndpointFrame } from "../endpoints/frame.tsx";
import type { EndpointRow } from "../endpoints/queries.ts";
import { delivery_columns, few_delivery_columns } from "./columns.tsx";
import {
  type DeliveryRow,
  deliveriesQuery,
  deliveryCountsQuery,
  deliveryRowCounts,
  filterOf,
} from "./queries.ts";
import type { SendAllDialogProps } from "./send-all-dialog.tsx";
import { hasFailed } from "./state.tsx";
import { texts } from "./texts.ts";
import { useSend } from "./use-send.ts";

const route = getRouteApi("/o/$slug/developers/webhooks/$endpoint/{-$event}");

/** Loaded with the first delivery that is opened. */
const Detail = lazyPart(() => import("./detail.tsx"), "Detail");

/** Loaded with its counts, which come after the list. */
const DeliveryHours = lazyPart(() => import("./hours.tsx"), "DeliveryHours");

/** Loaded when it is opened. */
const SendAllDialog = lazyPart(() => import("./send-all-dialog.tsx"), "SendAllDialog");

type Address = ListAddress<"state" | "type" | "error">;

/** The deliveries of an endpoint, each with its state and the error of its last attempt. */
export function DeliveriesPage() {
  const { endpoint: id, event } = route.useParams();
  return (
    <EndpointFrame id={id} part="deliveries">
      {(endpoint) => <Deliveries endpoint={endpoint} event={event ?? null} />}
    </EndpointFrame>
  );
}

interface DeliveriesProps {
  endpoint: EndpointRow;
  /** The event of the delivery that is open beside the list. */
  event: string | null;
}

function Deliveries({ endpoint, event }: DeliveriesProps) {
  const { id, enabled } = endpoint;
  const session = useSession();
  const path = `${session.home}/developers/webhooks/${id}`;
  const search = route.useSearch();
  const address: Address = useListAddress(path, search);
  const query = useQuery(deliveriesQuery(session, id, search));
  const may_send = useMay("admin") && enabled;
  const { send, busy } = useSend(id);
  const rows = query.data?.data;
  const selection = useSelection(rows?.map(({ event_id }) => event_id) ?? []);
  const linkTo = (event_id: string) => `${path}/${event_id}${writeSearch(search)}`;
  useDeliveryShortcuts({ rows, event, linkTo, send: may_send ? send : null });
  const is_open = event !== null;
  return (
    <>
      <div className={is_open ? "max-full:hidden" : ""}>
        <Hours endpoint_id={id} />
        {isFilterable(query.data, address) && (
          <DeliveryFilters address={address}>
            <span className="ml-auto text-table text-muted tabular-nums">
              <Count endpoint_id={id} rows={rows} address={address} />
            </span>
            <ExportButton
              page={query.data}
              start={() => session.api.dashboard.deliveries.export.mutate(filterOf(id, search))}
            />
            {may_send && (
              <SendAll endpoint_id={id} search={search} has_failures={rows?.some(hasFailed) ?? false} />
            )}
          </DeliveryFilters>
        )}
      </div>
      <div className={is_open ? "grid items-start gap-8 max-full:pt-4 full:grid-cols-2" : ""}>
        <div className={is_open ? "min-w-0 max-full:hidden" : ""}>
          <Rows
            label={texts.title}
            address={address}
            query={query}
            columns={is_open ? few_delivery_columns : delivery_columns}
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
        {is_open && (
          <Suspense fallback={<SkeletonRows label={shell_texts.loading} />}>
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
      </div>
    </>
  );
}

function Count({
  endpoint_id,
  rows,
  address,
}: {
  endpoint_id: string;
  rows: readonly { event_id: string }[] | undefined;
  address: Address;
}) {
  const { search } = address;
  return (
    <RowCountText
      counts={deliveryRowCounts(useSession(), endpoint_id, search)}
      newest={newestOf(
        rows?.map(({ event_id: id }) => ({ id })),
        search,
      )}
      address={address}
    />
  );
}

interface DeliveryShortcuts extends Pick<DeliveriesProps, "event"> {
  rows: readonly DeliveryRow[] | undefined;
  linkTo: (event_id: string) => string;
  /** Null: the person may not send. */
  send: ((event_ids: readonly string[]) => void) | null;
}

/** `f` opens the next failed delivery, `r` sends the open one again. */
function useDeliveryShortcuts({ rows, event, linkTo, send }: DeliveryShortcuts): void {
  const { navigate } = useNavigation();
  const toast = useToast();
  const openNextFailure = () => {
    const from = rows?.findIndex(({ event_id }) => event_id === event) ?? -1;
    const next = rows?.slice(from + 1).find(hasFailed);
    if (next === undefined) toast({ text: texts.no_more_failures });
    else navigate(linkTo(next.event_id));
  };
  useShortcuts([
    { keys: "f", label: texts.next_failure, run: openNextFailure },
    ...(send === null
      ? []
      : [{ keys: "r", label: texts.send_now, run: () => event !== null && send([event]) }]),
  ]);
}

function Hours({ endpoint_id }: { endpoint_id: string }) {
  const { data: counts } = useQuery(deliveryCountsQuery(useSession(), endpoint_id));
  return <Suspense>{counts !== undefined && <DeliveryHours counts={counts} />}</Suspense>;
}

interface SendAllProps extends Pick<SendAllDialogProps, "endpoint_id" | "search"> {
  has_failures: boolean;
}

/** The button that sends all failed deliveries of the list again, and its dialog, which stays when the last of them is sent. */
function SendAll({ endpoint_id, search, has_failures }: SendAllProps) {
  const [is_open, setOpen] = useState(false);
  return (
    <>
      {has_failures && <Button onClick={() => setOpen(true)}>{texts.send_all}</Button>}
      {is_open && (
        <Suspense>
          <SendAllDialog endpoint_id={endpoint_id} search={search} onClose={() => setOpen(false)} />
        </Suspense>
      )}
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
      <Views list="deliveries" address={address} />
    </Filters>
  );
}
