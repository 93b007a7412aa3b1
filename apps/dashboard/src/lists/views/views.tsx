import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { usePrefetchQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useSession } from "../../session/session.tsx";
import type { OpenViewsProps } from "./open-views.tsx";
import { viewsQuery } from "./queries.ts";

const OpenViews = lazyPart(() => import("./open-views.tsx"), "OpenViews");

/** The menu of a list's views. They are asked for with the rows; its code is loaded after them. */
export function Views(props: OpenViewsProps) {
  usePrefetchQuery(viewsQuery(useSession(), props.list));
  return (
    <Suspense>
      <OpenViews {...props} />
    </Suspense>
  );
}
