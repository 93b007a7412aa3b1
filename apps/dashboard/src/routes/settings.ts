import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readHistorySearch } from "../audit-log/search.ts";
import { organizationRoute } from "./organization-route.ts";

const teamRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/team",
  component: lazyRouteComponent(() => import("../identity/team/team-page.tsx"), "TeamPage"),
});

const securityRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/security",
  component: lazyRouteComponent(() => import("../identity/policies/security-page.tsx"), "SecurityPage"),
});

const organizationSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/organization",
  component: lazyRouteComponent(
    () => import("../organizations/settings/organization-page.tsx"),
    "OrganizationSettingsPage",
  ),
});

const portalSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/portal",
  component: lazyRouteComponent(() => import("../portal/portal-page.tsx"), "PortalSettingsPage"),
});

const payoutSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/payouts",
  component: lazyRouteComponent(
    () => import("../organizations/settings/payouts-page.tsx"),
    "PayoutSettingsPage",
  ),
});

const singleSignOnRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/single-sign-on",
  component: lazyRouteComponent(
    () => import("../identity/single-sign-on/settings-page.tsx"),
    "SingleSignOnSettingsPage",
  ),
});

const historyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/history",
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import("../audit-log/history-page.tsx"), "HistoryPage"),
});

const healthRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/health",
  component: lazyRouteComponent(() => import("../reports/health/health-page.tsx"), "HealthPage"),
});

const notificationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/notifications",
  component: lazyRouteComponent(() => import("../mails/notifications-page.tsx"), "NotificationsPage"),
});

/** The settings of an organization. */
export const settingsRoutes = [
  teamRoute,
  notificationsRoute,
  securityRoute,
  organizationSettingsRoute,
  portalSettingsRoute,
  payoutSettingsRoute,
  singleSignOnRoute,
  historyRoute,
  healthRoute,
] as const;
