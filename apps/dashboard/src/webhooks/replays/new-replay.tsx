import { Button } from "@findersfee/ui/components/button";
import { Card } from "@findersfee/ui/components/card";
import { TextField } from "@findersfee/ui/components/controls";
import { Time } from "@findersfee/ui/components/values";
import { BROWSER_CLOCK } from "@findersfee/ui/formats/clock";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { useDraftState } from "@findersfee/ui/forms/use-draft-value";
import { useQuery } from "@tanstack/react-query";
import { useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { type DeliveryCounts, deliveryCountsQuery } from "../deliveries/queries.ts";
import type { Endpoint } from "../endpoints/queries.ts";
import { FailureHours } from "./failure-hours.tsx";
import { fromLocal, toLocal } from "./local-time.ts";
import { estimateQuery, type Range } from "./queries.ts";
import { texts } from "./texts.ts";

const HOUR_MILLISECONDS = 3_600_000;
const DAY_HOURS = 24;
const WEEK_HOURS = 7 * DAY_HOURS;

/** The last hours, up to the next full one. */
function lastHours(hours: number): Range {
  const until = Math.ceil(Date.now() / HOUR_MILLISECONDS) * HOUR_MILLISECONDS;
  return {
    from: new Date(until - hours * HOUR_MILLISECONDS).toISOString(),
    until: new Date(until).toISOString(),
  };
}

/** From the first hour with a failure to now. */
function allFailures(hours: DeliveryCounts["hours"]): Range {
  const first = hours.find(({ failed }) => failed > 0);
  return { ...lastHours(WEEK_HOURS), ...(first === undefined ? {} : { from: first.hour }) };
}

interface Chosen {
  range: Range | null;
}

const NOTHING_CHOSEN = {
  initial: { range: null },
  differs: ({ range }: Chosen) => range !== null,
};

/** Chooses the events of a replay, says how many deliveries it would send, and starts it. */
export function NewReplay({ endpoint: { id, enabled } }: { endpoint: Endpoint }) {
  const session = useSession();
  const kept = useDraftState<Chosen>(NOTHING_CHOSEN);
  const setRange = (range: Range) => kept.set({ range });
  const { data: counts } = useQuery(deliveryCountsQuery(session, id, WEEK_HOURS));
  const hours = counts?.hours ?? [];
  const range = kept.value.range ?? allFailures(hours);
  const { data: estimate } = useQuery({
    ...estimateQuery(session, id, range),
    enabled: counts !== undefined && range.from < range.until,
  });
  const { change, busy } = useChange("endpoints");
  const count = estimate?.deliveries ?? 0;
  const is_wrong = range.from >= range.until;
  const start = async () => {
    const asked = { endpoint_id: id, events_from: range.from, events_to: range.until };
    await session.api.dashboard.replays.create.mutate(asked);
    kept.discard();
  };
  return (
    <Card title={texts.choose}>
      <div className="grid gap-4">
        <p className="text-table text-muted">{texts.hint}</p>
        <RestoredNote draft={kept} />
        <div className="grid gap-1">
          <div className="h-16">
            {counts !== undefined && <FailureHours hours={hours} range={range} onRange={setRange} />}
          </div>
          <p className="flex justify-between gap-4 text-meta text-muted">
            <Time at={lastHours(WEEK_HOURS).from} show="day" />
            {texts.failures}
            <Time at={lastHours(WEEK_HOURS).until} show="day" />
          </p>
        </div>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setRange(allFailures(hours))}>{texts.all}</Button>
          <Button onClick={() => setRange(lastHours(DAY_HOURS))}>{texts.day}</Button>
          <Button onClick={() => setRange(lastHours(WEEK_HOURS))}>{texts.week}</Button>
        </div>
        <RangeFields range={range} error={is_wrong ? texts.wrong_range : undefined} onRange={setRange} />
        <p role="status" className="text-table tabular-nums">
          {!enabled
            ? texts.disabled
            : is_wrong
              ? ""
              : estimate === undefined
                ? texts.estimating
                : texts.estimate(count, count >= estimate.most_counted)}
        </p>
        <div>
          <Button
            look="solid"
            busy={busy}
            disabled={!enabled || is_wrong || count === 0}
            onClick={() => change({ run: start, toast: { text: texts.started } })}
          >
            {texts.start(count)}
          </Button>
        </div>
      </div>
    </Card>
  );
}

interface RangeFieldsProps {
  range: Range;
  error: string | undefined;
  onRange: (range: Range) => void;
}

function RangeFields({ range, error, onRange }: RangeFieldsProps) {
  const fieldOf = (name: keyof Range, label: string) => (
    <TextField
      label={label}
      type="datetime-local"
      value={toLocal(new Date(range[name]))}
      onChange={(event) => {
        const at = fromLocal(event.target.value);
        if (at !== null) onRange({ ...range, [name]: at.toISOString() });
      }}
      hint={name === "from" ? texts.zone(BROWSER_CLOCK.time_zone) : undefined}
      error={name === "until" ? error : undefined}
    />
  );
  return (
    <div className="grid max-w-140 gap-4 wide:grid-cols-2">
      {fieldOf("from", texts.from)}
      {fieldOf("until", texts.until)}
    </div>
  );
}
