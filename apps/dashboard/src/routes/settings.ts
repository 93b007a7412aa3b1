import { createRoute } from "@tanstack/react-router";
import { readHistorySearch } from "../audit-log/search.ts";
import { lazyPage } from "./lazy-page.ts";
import { organizationRoute } from "./organization-route.ts";

const teamRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/team",
  component: lazyPage(() => import("../identity/team/team-page.tsx"), "TeamPage"),
});

const securityRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/security",
  component: lazyPage(() => import("../identity/policies/security-page.tsx"), "SecurityPage"),
});

const organizationSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/organization",
  component: lazyPage(
    () => import("../organizations/settings/organization-page.tsx"),
    "OrganizationSettingsPage",
  ),
});

const portalSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/portal",
  component: lazyPage(() => import("../portal/portal-page.tsx"), "PortalSettingsPage"),
});

const payoutSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/payouts",
  component: lazyPage(() => import("../organizations/settings/payouts-page.tsx"), "PayoutSettingsPage"),
});

const currenciesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/currencies",
  component: lazyPage(() => import("../organizations/settings/currencies-page.tsx"), "CurrenciesPage"),
});

const singleSignOnRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/single-sign-on",
  component: lazyPage(
    () => import("../identity/single-sign-on/settings-page.tsx"),
    "SingleSignOnSettingsPage",
  ),
});

const historyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/history",
  validateSearch: readHistorySearch,
  component: lazyPage(() => import("../audit-log/history-page.tsx"), "HistoryPage"),
});

const healthRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/health",
  component: lazyPage(() => import("../reports/health/health-page.tsx"), "HealthPage"),
});

const notificationsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/notifications",
  component: lazyPage(() => import("../mails/notifications-page.tsx"), "NotificationsPage"),
});

/** The settings of an organization. */
export const settingsRoutes = [
  teamRoute,
  notificationsRoute,
  securityRoute,
  organizationSettingsRoute,
  portalSettingsRoute,
  payoutSettingsRoute,
  currenciesRoute,
  singleSignOnRoute,
  historyRoute,
  healthRoute,
] as const;
