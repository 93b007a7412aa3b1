import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { shortId } from "@findersfee/ui/formats/ids";
import type { Column } from "@findersfee/ui/lists/table";
import { failureName } from "../endpoints/error-names.ts";
import { NextTry } from "./next-try.tsx";
import type { DeliveryRow } from "./queries.ts";
import { toneOf } from "./state.tsx";
import { texts } from "./texts.ts";

const event: Column<DeliveryRow> = {
  id: "event",
  header: texts.event,
  cell: (row) => (
    <State tone={toneOf(row)}>
      <span className="sr-only">{texts.states[row.state]}: </span>
      <span className="text-ink">{row.event_type}</span>
      <span className="ml-2 font-mono text-meta font-normal text-muted">{shortId(row.event_id)}</span>
    </State>
  ),
  narrow: "above",
  strong: true,
};

const occurred: Column<DeliveryRow> = {
  id: "occurred",
  header: texts.occurred,
  cell: ({ created_at }) => <Time at={created_at} />,
  narrow: "below",
  width: "w-30",
};

const result: Column<DeliveryRow> = {
  id: "result",
  header: texts.result,
  cell: (row) => <Result row={row} />,
  narrow: "above-end",
  width: "w-[24%]",
};

const attempts: Column<DeliveryRow> = {
  id: "attempts",
  header: texts.attempts,
  cell: (row) => row.attempts,
  align: "end",
  width: "w-16",
};

const next: Column<DeliveryRow> = {
  id: "next",
  header: texts.state,
  cell: (row) => <Next row={row} />,
  narrow: "below-end",
  width: "w-[18%]",
};

export const delivery_columns = [event, occurred, result, attempts, next];

/** Beside an open delivery. */
export const few_delivery_columns = [event, occurred, { ...result, width: "w-[30%]" }];

function Result({ row }: { row: DeliveryRow }) {
  const { last_status: status, last_error_code: error_code, last_duration_milliseconds: duration } = row;
  if (duration === null) return texts.states[row.state];
  return (
    <span className="tabular-nums">
      <span className="text-ink">{failureName({ status, error_code })}</span>
      <span className="cards:hidden">, {texts.milliseconds(duration)}</span>
    </span>
  );
}

function Next({ row: { state, next_attempt_at } }: { row: DeliveryRow }) {
  return state === "pending" ? <NextTry at={next_attempt_at} /> : texts.states[state];
}
