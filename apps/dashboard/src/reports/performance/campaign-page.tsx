import { PerformanceReport } from "@findersfee/ui/performance/report";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { getRouteApi } from "@tanstack/react-router";
import { Suspense } from "react";
import { useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { useDashboardSource } from "./use-source.tsx";

// Below the report.
const CostCard = lazyPart(() => import("./cost.tsx"), "CostCard");

const route = getRouteApi("/o/$slug/campaigns/$id/performance");

/** The performance of a campaign: of the affiliates that are in it now. */
export function CampaignPerformancePage() {
  const { home } = useSession();
  const { id } = route.useParams();
  const search = route.useSearch();
  const address = useListAddress(`${home}/campaigns/${id}/performance`, search);
  const source = useDashboardSource(search, address, { campaign_id: id });
  return (
    <>
      <PerformanceReport source={source} />
      <div className="pb-12">
        <Suspense>
          <CostCard campaign_id={id} currency={source.currency} />
        </Suspense>
      </div>
    </>
  );
}
