import { FilterBar } from "@findersfee/ui/lists/filter-bar";
import type { ReactNode } from "react";
import { isRowless, type RowPage } from "../requests/row-page.ts";
import type { ListAddress } from "./use-list-address.ts";

/** Whether a list needs its filters: not while it is empty without them. */
export function isFilterable(page: RowPage<unknown> | undefined, address: { is_filtered: boolean }): boolean {
  return address.is_filtered || !isRowless(page);
}

/** The search field of a list, with its filters. */
export function Filters<Name extends string>({
  address: { search, change },
  label,
  children,
}: {
  address: ListAddress<Name>;
  label: string;
  children?: ReactNode;
}) {
  const text: string | undefined = search.text;
  return (
    <FilterBar label={label} text={text ?? ""} onText={(typed) => change({ text: typed })}>
      {children}
    </FilterBar>
  );
}
