import { State, type StateTone } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { shortId } from "@findersfee/ui/formats/ids";
import type { Column } from "@findersfee/ui/lists/table";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Radio } from "lucide-react";
import { ChoiceChip } from "../../lists/choice-chip.tsx";
import { Filters } from "../../lists/filters.tsx";
import { ListPage } from "../../lists/list-page.tsx";
import { PeriodChip } from "../../lists/period-chip.tsx";
import { newestOf, RowCountText } from "../../lists/row-count.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { ExportButton } from "../../work/export-button.tsx";
import { EVENT_TYPES } from "../endpoints/event-types.ts";
import { type EventRow, eventCounts, eventFilters, eventsQuery } from "./queries.ts";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/developers/events");

const columns: Column<EventRow>[] = [
  { id: "type", header: texts.type, cell: ({ type }) => type, narrow: "above", strong: true },
  {
    id: "about",
    header: texts.about,
    cell: ({ about_email }) => <span dir="auto">{about_email ?? texts.nobody}</span>,
    narrow: "below",
    width: "w-[32%]",
  },
  {
    id: "deliveries",
    header: texts.deliveries,
    cell: ({ deliveries }) => <Deliveries deliveries={deliveries} />,
    narrow: "below-end",
    width: "w-[28%]",
  },
  {
    id: "occurred",
    header: texts.occurred,
    cell: ({ created_at }) => <Time at={created_at} />,
    narrow: "above-end",
    width: "w-34",
  },
];

/** The events, each with its deliveries. */
export function EventsPage() {
  const session = useSession();
  const path = `${session.home}/developers/events`;
  const address: ListAddress<"type"> = useListAddress(path, route.useSearch());
  const query = useQuery(eventsQuery(session, address.search));
  return (
    <ListPage
      views="events"
      title={texts.title}
      address={address}
      query={query}
      page_actions={
        <ExportButton
          page={query.data}
          start={() => session.api.dashboard.events.export.mutate(eventFilters(address.search))}
        />
      }
      count={
        <RowCountText
          counts={eventCounts(session, address.search)}
          newest={newestOf(query.data?.data, address.search)}
          address={address}
        />
      }
      columns={columns}
      keyOf={({ id }) => id}
      nameOf={({ type, id }) => `${type} ${shortId(id)}`}
      linkTo={({ id }) => `${path}/${id}`}
      filters={
        <Filters address={address} label={texts.search}>
          <ChoiceChip
            address={address}
            field="type"
            name={texts.type}
            values={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
          />
          <PeriodChip address={address} />
        </Filters>
      }
      empty={{
        icon: Radio,
        nothing_yet: texts.nothing_yet,
        hint: texts.nothing_yet_hint,
        action: (
          <a href={`${APPLICATION_PATH}/docs/webhooks`} className="text-accent underline">
            {texts.how_to_receive}
          </a>
        ),
        nothing_matches: texts.nothing_matches,
      }}
    />
  );
}

const KINDS: { kind: keyof EventRow["deliveries"]; tone: StateTone; text: (count: number) => string }[] = [
  { kind: "delivered", tone: "done", text: texts.arrived },
  { kind: "exhausted", tone: "failed", text: texts.not_arrived },
  { kind: "pending", tone: "waiting", text: texts.waiting },
  { kind: "canceled", tone: "stopped", text: texts.canceled },
];

function Deliveries({ deliveries }: { deliveries: EventRow["deliveries"] }) {
  const shown = KINDS.filter(({ kind }) => deliveries[kind] > 0);
  if (shown.length === 0) return <span className="text-muted">{texts.no_deliveries}</span>;
  return (
    <span className="inline-flex max-w-full gap-3 tabular-nums">
      {shown.map(({ kind, tone, text }) => (
        <State key={kind} tone={tone}>
          {text(deliveries[kind])}
        </State>
      ))}
    </span>
  );
}
