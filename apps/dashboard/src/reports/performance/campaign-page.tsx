import { PerformanceReport } from "@findersfee/ui/performance/report";
import { getRouteApi } from "@tanstack/react-router";
import { useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { useDashboardSource } from "./use-source.tsx";

const route = getRouteApi("/o/$slug/campaigns/$id/performance");

/** The performance of a campaign: of the affiliates that are in it now. */
export function CampaignPerformancePage() {
  const { home } = useSession();
  const { id } = route.useParams();
  const search = route.useSearch();
  const address = useListAddress(`${home}/campaigns/${id}/performance`, search);
  return <PerformanceReport source={useDashboardSource(search, address, { campaign_id: id })} />;
}
