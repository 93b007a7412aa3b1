import { ChoiceChip, valuesOf } from "./choice-chip.tsx";
import { texts } from "./texts.ts";
import type { ListAddress } from "./use-list-address.ts";

/** The filter by time, up to now. */
export function PeriodChip<Name extends string>({ address }: { address: ListAddress<Name | "period"> }) {
  return <ChoiceChip address={address} field="period" name={texts.period} values={valuesOf(texts.periods)} />;
}
