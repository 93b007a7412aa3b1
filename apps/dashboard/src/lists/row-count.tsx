import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import type { RowCountProps } from "./count-query.ts";

const OpenRowCount = lazyPart(() => import("./open-row-count.tsx"), "OpenRowCount");

/** The number of rows of a list. Its code is loaded after the list. */
export function RowCountText(props: RowCountProps) {
  return (
    <Suspense>
      <OpenRowCount {...props} />
    </Suspense>
  );
}
