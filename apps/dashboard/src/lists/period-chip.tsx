import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import { texts } from "./texts.ts";

/** The filter by time, up to now. */
export function PeriodChip({
  period,
  onChoose,
}: {
  period: string | undefined;
  onChoose: (period: string | undefined) => void;
}) {
  return (
    <FilterChip
      name={texts.period}
      values={Object.entries(texts.periods).map(([value, label]) => ({ value, label }))}
      chosen={period === undefined ? [] : [period]}
      onChoose={([chosen]) => onChoose(chosen)}
    />
  );
}
