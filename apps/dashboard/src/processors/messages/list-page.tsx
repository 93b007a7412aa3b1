import { required_event_types } from "@findersfee/contract/processors/stripe-events";
import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import type { Column } from "@findersfee/ui/lists/table";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Inbox } from "lucide-react";
import { ChoiceChip, valuesOf } from "../../lists/choice-chip.tsx";
import { Filters, isFilterable } from "../../lists/filters.tsx";
import { PeriodChip } from "../../lists/period-chip.tsx";
import { Rows } from "../../lists/rows.tsx";
import { type ListAddress, useListAddress } from "../../lists/use-list-address.ts";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { ConnectionsFrame } from "../connections/frame.tsx";
import { MESSAGES, type MessageRow, messageCountsQuery, messagesQuery } from "./queries.ts";
import { MessageState } from "./state.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/o/$slug/connections/messages");

/** The types of the generic processor's messages. */
const GENERIC_TYPES = ["payment", "refund", "dispute", "checkout", "customer", "subscription"];

const columns: Column<MessageRow>[] = [
  {
    id: "type",
    header: texts.type,
    cell: ({ type }) => type,
    narrow: "above",
    strong: true,
    width: "w-[22%]",
  },
  {
    id: "state",
    header: texts.state,
    cell: ({ state }) => <MessageState state={state} />,
    narrow: "below",
    width: "w-32",
  },
  {
    id: "id",
    header: texts.id,
    cell: ({ id }) => (
      <span className="font-mono text-meta" title={id}>
        {id}
      </span>
    ),
    width: "w-[20%]",
    roomy: true,
  },
  {
    id: "reason",
    header: texts.reason,
    cell: ({ reason }) => (reason === null ? "" : <span title={reason}>{reason}</span>),
    narrow: "below-end",
  },
  {
    id: "received",
    header: texts.received,
    cell: ({ received_at }) => <Time at={received_at} />,
    narrow: "above-end",
    width: "w-30",
  },
];

/** The inbound webhooks of the processors, each with its state. */
export function MessagesPage() {
  const session = useSession();
  const path = `${session.home}/connections/messages`;
  const address: ListAddress<"state" | "processor" | "type"> = useListAddress(path, route.useSearch());
  const query = useQuery(messagesQuery(session, address.search));
  return (
    <ConnectionsFrame part="messages" error={query.error}>
      <DeadLettered path={path} />
      {isFilterable(query.data, address) && (
        <Filters address={address} label={texts.search}>
          <ChoiceChip address={address} field="state" name={texts.state} values={valuesOf(texts.states)} />
          <ChoiceChip
            address={address}
            field="processor"
            name={texts.processor}
            values={valuesOf(texts.processors)}
          />
          <ChoiceChip
            address={address}
            field="type"
            name={texts.type}
            values={[...GENERIC_TYPES, ...required_event_types].map((type) => ({ value: type, label: type }))}
          />
          <PeriodChip address={address} />
        </Filters>
      )}
      <Rows
        label={texts.title}
        address={address}
        query={query}
        columns={columns}
        keyOf={({ processor, id }) => `${processor} ${id}`}
        nameOf={({ type, id }) => `${type} ${id}`}
        linkTo={({ processor, id }) => `${path}/${processor}/${encodeURIComponent(id)}`}
        empty={{
          icon: Inbox,
          nothing_yet: texts.nothing_yet,
          hint: texts.nothing_yet_hint,
          action: <ButtonLink to={`${session.home}/connections`}>{texts.connect}</ButtonLink>,
          nothing_matches: texts.nothing_matches,
        }}
      />
    </ConnectionsFrame>
  );
}

/** The messages that somebody must look at. */
function DeadLettered({ path }: { path: string }) {
  const session = useSession();
  const { data } = useQuery(messageCountsQuery(session));
  const { change, busy } = useChange(MESSAGES);
  const may_rerun = useMay("admin");
  const count = data?.parked ?? 0;
  if (count === 0) return null;
  const rerun = () => session.api.dashboard.processor_messages.rerunParked.mutate({});
  return (
    <div className="pt-4">
      <Notice
        tone="warn"
        title={texts.dead_lettered(count)}
        actions={
          <span className="flex flex-wrap gap-2">
            <ButtonLink to={`${path}?state=parked`}>{texts.show_dead_lettered}</ButtonLink>
            {may_rerun && (
              <Button
                busy={busy}
                onClick={() => change({ run: rerun, toast: { text: texts.rerun_asked(count) } })}
              >
                {texts.rerun_all(count)}
              </Button>
            )}
          </span>
        }
      >
        {texts.dead_lettered_hint}
      </Notice>
    </div>
  );
}
