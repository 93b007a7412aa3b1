import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { usePrefetchQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import type { RowCountProps } from "./count-query.ts";

const OpenRowCount = lazyPart(() => import("./open-row-count.tsx"), "OpenRowCount");

/** The `newest` of a count. Only the first page has it. */
export function newestOf(
  rows: readonly { id: string }[] | undefined,
  { after, before }: { after?: string | undefined; before?: string | undefined },
): string | null | undefined {
  const is_first = after === undefined && before === undefined;
  return rows === undefined || !is_first ? undefined : (rows[0]?.id ?? null);
}

/** The number of rows of a list. It is asked for with the rows; its code is loaded after them. */
export function RowCountText(props: RowCountProps) {
  usePrefetchQuery(props.counts.matching);
  return (
    <Suspense>
      <OpenRowCount {...props} />
    </Suspense>
  );
}
