import { FilterChip, type FilterValue } from "@findersfee/ui/lists/filter-bar";
import type { ListAddress } from "./use-list-address.ts";

/** A filter of one value, which is a parameter of the address. */
export function ChoiceChip<Name extends string>({
  address: { search, change },
  field,
  name,
  values,
}: {
  address: ListAddress<Name>;
  field: NoInfer<Name>;
  name: string;
  values: readonly FilterValue[];
}) {
  const value = search[field];
  return (
    <FilterChip
      name={name}
      values={values}
      chosen={value === undefined ? [] : [value]}
      onChoose={([chosen]) => change({ [field]: chosen })}
    />
  );
}

/** The values of a filter, of labels by value. */
export function valuesOf(labels: Record<string, string>): FilterValue[] {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}
