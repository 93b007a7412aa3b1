import { useClock } from "@findersfee/ui/components/clock";
import { formatDay } from "@findersfee/ui/formats/dates";
import { daysOf } from "@findersfee/ui/lists/days";
import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import { useState } from "react";
import { valuesOf } from "./choice-chip.tsx";
import { PeriodDialog } from "./period-dialog.tsx";
import { texts } from "./texts.ts";
import type { ListAddress } from "./use-list-address.ts";

const OWN = "own";

/**
 * The filter by time: up to now, or from one day to another. `name`: the event of the time, if the list has
 * several times.
 */
export function PeriodChip<Name extends string>({
  address: { search, change },
  name = texts.period,
}: {
  address: ListAddress<Name | "period">;
  name?: string;
}) {
  const clock = useClock();
  const [choosing, setChoosing] = useState(false);
  const period: string | undefined = search.period;
  const days = daysOf(period);
  const dayOf = (day: string) => formatDay(new Date(`${day}T00:00`), clock);
  const own =
    days === null || period === undefined
      ? []
      : [{ value: period, label: `${dayOf(days.first)} – ${dayOf(days.last)}` }];
  return (
    <>
      <FilterChip
        name={name}
        values={[...valuesOf(texts.periods), ...own, { value: OWN, label: texts.own_period }]}
        chosen={period === undefined ? [] : [period]}
        onChoose={([chosen]) => (chosen === OWN ? setChoosing(true) : change({ period: chosen }))}
      />
      <PeriodDialog
        days={days}
        open={choosing}
        onClose={() => setChoosing(false)}
        onChoose={(chosen) => change({ period: chosen })}
      />
    </>
  );
}
