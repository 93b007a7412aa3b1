import { createRoute } from "@tanstack/react-router";
import { readAffiliateSearch, readAffiliateTab, readWaitingSearch } from "../affiliates/search.ts";
import { readReferralSearch, readTimelineSearch } from "../customers/referrals/search.ts";
import { lazyPage } from "./lazy-page.ts";
import { organizationRoute } from "./organization-route.ts";

const affiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates",
  validateSearch: readAffiliateSearch,
  component: lazyPage(() => import("../affiliates/list-page.tsx"), "AffiliatesPage"),
});

const waitingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/waiting",
  validateSearch: readWaitingSearch,
  component: lazyPage(() => import("../affiliates/waiting-page.tsx"), "WaitingPage"),
});

const newAffiliateRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/new",
  component: lazyPage(() => import("../affiliates/new-page.tsx"), "NewAffiliatePage"),
});

const importAffiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/import",
  component: lazyPage(() => import("../affiliates/import/import-page.tsx"), "ImportPage"),
});

const affiliateRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/$id",
  validateSearch: readAffiliateTab,
  component: lazyPage(() => import("../affiliates/detail/affiliate-page.tsx"), "AffiliatePage"),
});

const referralsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/referrals",
  validateSearch: readReferralSearch,
  component: lazyPage(() => import("../customers/referrals/list-page.tsx"), "ReferralsPage"),
});

const referralRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/referrals/$id",
  validateSearch: readTimelineSearch,
  component: lazyPage(() => import("../customers/referrals/referral-page.tsx"), "ReferralPage"),
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
