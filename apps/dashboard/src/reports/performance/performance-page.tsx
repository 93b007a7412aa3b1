import { PerformanceReport } from "@findersfee/ui/performance/report";
import { Page } from "@findersfee/ui/shell/page";
import { getRouteApi } from "@tanstack/react-router";
import { useListAddress } from "../../lists/use-list-address.ts";
import { useSession } from "../../session/session.tsx";
import { page_texts } from "./texts.ts";
import { useDashboardSource } from "./use-source.tsx";

const route = getRouteApi("/o/$slug/performance");

/** Which affiliates and sources bring clicks, customers and revenue? */
export function PerformancePage() {
  const { home, organization } = useSession();
  const search = route.useSearch();
  const source = useDashboardSource(search, useListAddress(`${home}/performance`, search));
  return (
    <Page title={page_texts.title} document_title={`${page_texts.title} · ${organization.name}`}>
      <PerformanceReport source={source} />
    </Page>
  );
}
