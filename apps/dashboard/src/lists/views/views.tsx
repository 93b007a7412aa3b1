import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import type { OpenViewsProps } from "./open-views.tsx";

const OpenViews = lazyPart(() => import("./open-views.tsx"), "OpenViews");

/** The menu of a list's views. Its code is loaded after the list. */
export function Views(props: OpenViewsProps) {
  return (
    <Suspense>
      <OpenViews {...props} />
    </Suspense>
  );
}
