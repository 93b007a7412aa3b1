import { shortId } from "@findersfee/ui/formats/ids";
import { FilterChip } from "@findersfee/ui/lists/filter-bar";
import type { ListAddress } from "./use-list-address.ts";

/** A filter that a link set, such as an affiliate: it shows the name and can only be removed. */
export function NamedChip<Name extends string>({
  address: { search, change },
  field,
  name,
  label,
}: {
  address: ListAddress<Name>;
  field: NoInfer<Name>;
  name: string;
  /** Undefined until it is known. */
  label: string | undefined;
}) {
  const value = search[field];
  if (value === undefined) return null;
  return (
    <FilterChip
      name={name}
      values={[{ value, label: label ?? shortId(value) }]}
      chosen={[value]}
      onChoose={() => change({ [field]: undefined })}
    />
  );
}
