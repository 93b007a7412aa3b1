import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import type { OpenPeriodDialogProps } from "./open-period-dialog.tsx";

const OpenPeriodDialog = lazyPart(() => import("./open-period-dialog.tsx"), "OpenPeriodDialog");

/** Takes the first and the last day of a period. Its code is loaded when it opens. */
export function PeriodDialog({ open, ...dialog }: OpenPeriodDialogProps & { open: boolean }) {
  return (
    open && (
      <Suspense>
        <OpenPeriodDialog {...dialog} />
      </Suspense>
    )
  );
}
