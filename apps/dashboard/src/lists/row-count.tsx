import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { usePrefetchQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import type { RowCountProps } from "./count-query.ts";

const OpenRowCount = lazyPart(() => import("./open-row-count.tsx"), "OpenRowCount");

/** The number of rows of a list. It is asked for with the rows; its code is loaded after them. */
export function RowCountText(props: RowCountProps) {
  usePrefetchQuery(props.counts.matching);
  return (
    <Suspense>
      <OpenRowCount {...props} />
    </Suspense>
  );
}
