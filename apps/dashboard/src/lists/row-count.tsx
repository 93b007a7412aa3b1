import { lazy, Suspense } from "react";
import type { Counts } from "./count-query.ts";

const OpenRowCount = lazy(async () => ({ default: (await import("./open-row-count.tsx")).OpenRowCount }));

export interface RowCountProps {
  counts: Counts;
  address: { is_filtered: boolean };
}

/** The number of rows of a list. Its code is loaded after the list. */
export function RowCountText(props: RowCountProps) {
  return (
    <Suspense>
      <OpenRowCount {...props} />
    </Suspense>
  );
}
