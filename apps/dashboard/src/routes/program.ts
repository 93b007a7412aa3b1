import { createRoute, redirect } from "@tanstack/react-router";
import { readCampaignSearch } from "../campaigns/search.ts";
import { readOverviewSearch } from "../reports/overview/search.ts";
import { readPerformanceAddress } from "../reports/performance/search.ts";
import { lazyPage } from "./lazy-page.ts";
import { organizationRoute } from "./organization-route.ts";

const organizationStartRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  validateSearch: readOverviewSearch,
  component: lazyPage(() => import("../reports/overview/start-page.tsx"), "StartPage"),
});

const performanceRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/performance",
  validateSearch: readPerformanceAddress,
  component: lazyPage(() => import("../reports/performance/performance-page.tsx"), "PerformancePage"),
});

const getStartedRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/get-started",
  component: lazyPage(() => import("../onboarding/get-started.tsx"), "GetStartedPage"),
});

const campaignsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/campaigns",
  validateSearch: readCampaignSearch,
  component: lazyPage(() => import("../campaigns/list-page.tsx"), "CampaignsPage"),
});

const newCampaignRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/campaigns/new",
  component: lazyPage(() => import("../campaigns/editor/new-page.tsx"), "NewCampaignPage"),
});

const campaignRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/campaigns/$id",
  component: lazyPage(() => import("../campaigns/editor/frame.tsx"), "CampaignFrame"),
});

const campaignStartRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/",
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/o/$slug/campaigns/$id/rules", params, replace: true });
  },
});

const campaignRulesRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/rules",
  component: lazyPage(() => import("../campaigns/editor/rules-page.tsx"), "RulesPage"),
});

const campaignFormRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/form",
  component: lazyPage(() => import("../campaigns/editor/form-page.tsx"), "FormPage"),
});

const campaignPortalRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/portal",
  component: lazyPage(() => import("../campaigns/editor/portal-page.tsx"), "PortalPage"),
});

const campaignInstallRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/install",
  component: lazyPage(() => import("../campaigns/editor/install-page.tsx"), "InstallPage"),
});

const campaignPerformanceRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/performance",
  validateSearch: readPerformanceAddress,
  component: lazyPage(() => import("../reports/performance/campaign-page.tsx"), "CampaignPerformancePage"),
});

const campaignBacktestRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/backtests/$backtest_id",
  component: lazyPage(() => import("../attribution/backtest/backtest-page.tsx"), "BacktestPage"),
});

/** The overview, performance, the first steps and the campaigns. */
export const programRoutes = [
  organizationStartRoute,
  performanceRoute,
  getStartedRoute,
  campaignsRoute,
  newCampaignRoute,
  campaignRoute.addChildren([
    campaignStartRoute,
    campaignRulesRoute,
    campaignFormRoute,
    campaignPortalRoute,
    campaignInstallRoute,
    campaignPerformanceRoute,
    campaignBacktestRoute,
  ]),
] as const;
