import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readAffiliateSearch, readAffiliateTab, readWaitingSearch } from "../affiliates/search.ts";
import { readReferralSearch, readTimelineSearch } from "../customers/referrals/search.ts";
import { organizationRoute } from "./organization-route.ts";

const affiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates",
  validateSearch: readAffiliateSearch,
  component: lazyRouteComponent(() => import("../affiliates/list-page.tsx"), "AffiliatesPage"),
});

const waitingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/waiting",
  validateSearch: readWaitingSearch,
  component: lazyRouteComponent(() => import("../affiliates/waiting-page.tsx"), "WaitingPage"),
});

const newAffiliateRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/new",
  component: lazyRouteComponent(() => import("../affiliates/new-page.tsx"), "NewAffiliatePage"),
});

const importAffiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/import",
  component: lazyRouteComponent(() => import("../affiliates/import/import-page.tsx"), "ImportPage"),
});

const affiliateRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/$id",
  validateSearch: readAffiliateTab,
  component: lazyRouteComponent(() => import("../affiliates/detail/affiliate-page.tsx"), "AffiliatePage"),
});

const referralsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/referrals",
  validateSearch: readReferralSearch,
  component: lazyRouteComponent(() => import("../customers/referrals/list-page.tsx"), "ReferralsPage"),
});

const referralRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/referrals/$id",
  validateSearch: readTimelineSearch,
  component: lazyRouteComponent(() => import("../customers/referrals/referral-page.tsx"), "ReferralPage"),
});

/** Affiliates and referrals. */
export const peopleRoutes = [
  affiliatesRoute,
  waitingRoute,
  newAffiliateRoute,
  importAffiliatesRoute,
  affiliateRoute,
  referralsRoute,
  referralRoute,
] as const;
