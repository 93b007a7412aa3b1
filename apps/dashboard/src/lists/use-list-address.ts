import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useEffect } from "react";
import { arrived_names, type ListField, type Search, type SearchChanges, writeSearch } from "./search.ts";
import { texts } from "./texts.ts";

/** Whether the parameters of the first address were checked. */
let is_checked = false;

/** The address of a list, and its changes. */
export interface ListAddress<Name extends string> {
  search: Search<Name | ListField>;
  size: number;
  /** Whether rows are left out. */
  is_filtered: boolean;
  /** The address with other parameters. Another filter begins at the first page. */
  hrefWith: (changes: SearchChanges) => string;
  change: (changes: SearchChanges) => void;
  clear: () => void;
}

const PLACES = ["after", "before", "rows"];

export function useListAddress<Name extends string>(
  path: string,
  search: Search<Name | ListField>,
): ListAddress<Name> {
  const { navigate } = useNavigation();
  useDroppedParameters(search);
  const hrefWith = (changes: SearchChanges) =>
    `${path}${writeSearch({ ...search, after: undefined, before: undefined, ...changes })}`;
  return {
    search,
    size: Number(search.rows ?? 50),
    is_filtered: Object.entries(search).some(
      ([name, value]) => value !== undefined && !PLACES.includes(name),
    ),
    hrefWith,
    change: (changes) => navigate(hrefWith(changes)),
    clear: () => navigate(`${path}${writeSearch({ rows: search.rows })}`),
  };
}

/** Says once that the address had parameters that the list does not know, or values that it cannot have. */
function useDroppedParameters(search: Search<string>): void {
  const toast = useToast();
  useEffect(() => {
    if (is_checked) return;
    is_checked = true;
    const names = arrived_names.filter((name) => search[name] === undefined);
    if (names.length > 0) toast({ text: texts.dropped(names.join(", ")), tone: "failed" });
  }, [search, toast]);
}
