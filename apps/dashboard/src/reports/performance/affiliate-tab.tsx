import { PerformanceReport } from "@findersfee/ui/performance/report";
import { getRouteApi } from "@tanstack/react-router";
import { useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { useDashboardSource } from "./use-source.tsx";

const route = getRouteApi("/o/$slug/affiliates/$id");

/** What an affiliate's links, pages, referrers and sub-ids brought. */
export function PerformanceTab({ id }: { id: string }) {
  const { home } = useSession();
  const search = route.useSearch();
  const address = useListAddress(`${home}/affiliates/${id}`, search);
  return <PerformanceReport source={useDashboardSource(search, address, { affiliate_id: id })} />;
}
