import { lazy, Suspense } from "react";
import type { OpenViewsProps } from "./open-views.tsx";

const OpenViews = lazy(async () => ({ default: (await import("./open-views.tsx")).OpenViews }));

/** The menu of a list's views. Its code is loaded after the list. */
export function Views(props: OpenViewsProps) {
  return (
    <Suspense>
      <OpenViews {...props} />
    </Suspense>
  );
}
