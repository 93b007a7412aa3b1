import { PerformanceReport } from "@findersfee/ui/performance/report";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { useDashboardSource } from "./use-source.tsx";

// Below the report.
const RetentionCard = lazyPart(() => import("./retention.tsx"), "RetentionCard");

const route = getRouteApi("/o/$slug/affiliates/$id");

/** The results of an affiliate's links, pages, referrers and sub-ids. */
export function PerformanceTab({ id }: { id: string }) {
  const { home } = useSession();
  const search = route.useSearch();
  const address = useListAddress(`${home}/affiliates/${id}`, search);
  const source = useDashboardSource(search, address, { affiliate_id: id });
  return (
    <>
      <PerformanceReport source={source} />
      <Suspense>
        <RetentionCard affiliate_id={id} />
      </Suspense>
    </>
  );
}
