import { formatCount } from "@findersfee/ui/formats/counts";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import type { RowCountProps } from "./count-query.ts";

const textOf = (count: number, has_more: boolean) => `${formatCount(count)}${has_more ? "+" : ""}`;

/** "3,000", or "812 of 3,000" with filters. Nothing until it is known, or if counting takes too long. */
export function OpenRowCount({ counts, newest, address: { is_filtered } }: RowCountProps) {
  const { data: matching, refetch } = useQuery(counts.matching);
  const { data: all, refetch: refetchAll } = useQuery({ ...counts.all, enabled: is_filtered });
  const counted = useRef(newest);
  useEffect(() => {
    const is_new = counted.current !== undefined && newest !== undefined && counted.current !== newest;
    counted.current = newest;
    if (!is_new) return;
    void refetch();
    if (is_filtered) void refetchAll();
  }, [newest, is_filtered, refetch, refetchAll]);
  if (matching === undefined || matching.count === null) return null;
  const shown = textOf(matching.count, matching.has_more);
  if (!is_filtered || all === undefined || all.count === null) return <span>{shown}</span>;
  return <span>{`${shown} of ${textOf(all.count, all.has_more)}`}</span>;
}
