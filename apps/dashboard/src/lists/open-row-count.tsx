import { formatCount } from "@findersfee/ui/formats/counts";
import { useQuery } from "@tanstack/react-query";
import type { RowCountProps } from "./count-query.ts";

const textOf = (count: number, has_more: boolean) => `${formatCount(count)}${has_more ? "+" : ""}`;

/** "3,000", or "812 of 3,000" with filters. Nothing until it is known, or if counting takes too long. */
export function OpenRowCount({ counts, address: { is_filtered } }: RowCountProps) {
  const matching = useQuery(counts.matching).data;
  const all = useQuery({ ...counts.all, enabled: is_filtered }).data;
  if (matching === undefined || matching.count === null) return null;
  const shown = textOf(matching.count, matching.has_more);
  if (!is_filtered || all === undefined || all.count === null) return <span>{shown}</span>;
  return <span>{`${shown} of ${textOf(all.count, all.has_more)}`}</span>;
}
