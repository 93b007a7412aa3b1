import { createRoute, lazyRouteComponent } from "@tanstack/react-router";
import { readPaymentSearch } from "../attribution/search.ts";
import { readCommissionSearch } from "../commissions/search.ts";
import { readClaimSearch } from "../customers/claims/search.ts";
import { readAllPayoutsSearch, readNextRunSearch, readRunSearch } from "../payouts/search.ts";
import { organizationRoute } from "./organization-route.ts";

const paymentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments",
  validateSearch: readPaymentSearch,
  component: lazyRouteComponent(() => import("../attribution/list-page.tsx"), "PaymentsPage"),
});

const tryPaymentRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments/try",
  component: lazyRouteComponent(() => import("../attribution/try-page.tsx"), "TryPaymentPage"),
});

const paymentRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments/$id",
  component: lazyRouteComponent(() => import("../attribution/decision-page.tsx"), "DecisionPage"),
});

const commissionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions",
  validateSearch: readCommissionSearch,
  component: lazyRouteComponent(() => import("../commissions/list-page.tsx"), "CommissionsPage"),
});

const newCommissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/new",
  component: lazyRouteComponent(() => import("../commissions/new-page.tsx"), "NewCommissionPage"),
});

const commissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/$id",
  component: lazyRouteComponent(() => import("../commissions/story-page.tsx"), "StoryPage"),
});

const payoutRunsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts",
  component: lazyRouteComponent(() => import("../payouts/runs-page.tsx"), "PayoutRunsPage"),
});

const nextRunRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/next",
  validateSearch: readNextRunSearch,
  component: lazyRouteComponent(() => import("../payouts/next-run-page.tsx"), "NextRunPage"),
});

const allPayoutsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/all",
  validateSearch: readAllPayoutsSearch,
  component: lazyRouteComponent(() => import("../payouts/all-page.tsx"), "AllPayoutsPage"),
});

const payoutRunRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/runs/$id",
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import("../payouts/run-page.tsx"), "RunPage"),
});

const payoutRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/$id",
  component: lazyRouteComponent(() => import("../payouts/payout-page.tsx"), "PayoutPage"),
});

const statementRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/$id/statement",
  component: lazyRouteComponent(() => import("../payouts/statement-page.tsx"), "StatementPage"),
});

const claimsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/claims",
  validateSearch: readClaimSearch,
  component: lazyRouteComponent(() => import("../customers/claims/list-page.tsx"), "ClaimsPage"),
});

const claimRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/claims/$id",
  component: lazyRouteComponent(() => import("../customers/claims/claim-page.tsx"), "ClaimPage"),
});

/** Payments, commissions, payouts and claims. */
export const moneyRoutes = [
  paymentsRoute,
  tryPaymentRoute,
  paymentRoute,
  commissionsRoute,
  newCommissionRoute,
  commissionRoute,
  payoutRunsRoute,
  nextRunRoute,
  allPayoutsRoute,
  payoutRunRoute,
  payoutRoute,
  statementRoute,
  claimsRoute,
  claimRoute,
] as const;
