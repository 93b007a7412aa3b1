import { createRoute } from "@tanstack/react-router";
import { readPaymentSearch } from "../attribution/search.ts";
import { readCommissionSearch, readFlaggedSearch, readReviewSearch } from "../commissions/search.ts";
import { readClaimSearch } from "../customers/claims/search.ts";
import { readAllPayoutsSearch, readNextRunSearch, readRunSearch } from "../payouts/search.ts";
import { lazyPage } from "./lazy-page.ts";
import { organizationRoute } from "./organization-route.ts";

const paymentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments",
  validateSearch: readPaymentSearch,
  component: lazyPage(() => import("../attribution/list-page.tsx"), "PaymentsPage"),
});

const tryPaymentRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments/try",
  component: lazyPage(() => import("../attribution/try-page.tsx"), "TryPaymentPage"),
});

const paymentRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments/$id",
  component: lazyPage(() => import("../attribution/decision-page.tsx"), "DecisionPage"),
});

const commissionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions",
  validateSearch: readCommissionSearch,
  component: lazyPage(() => import("../commissions/list-page.tsx"), "CommissionsPage"),
});

const reviewRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/review",
  validateSearch: readReviewSearch,
  component: lazyPage(() => import("../commissions/review-page.tsx"), "ReviewPage"),
});

const flaggedRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/review/affiliates",
  validateSearch: readFlaggedSearch,
  component: lazyPage(() => import("../commissions/flagged-page.tsx"), "FlaggedPage"),
});

const newCommissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/new",
  component: lazyPage(() => import("../commissions/new-page.tsx"), "NewCommissionPage"),
});

const commissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/$id",
  component: lazyPage(() => import("../commissions/story-page.tsx"), "StoryPage"),
});

const payoutRunsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts",
  component: lazyPage(() => import("../payouts/runs-page.tsx"), "PayoutRunsPage"),
});

const nextRunRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/next",
  validateSearch: readNextRunSearch,
  component: lazyPage(() => import("../payouts/next-run-page.tsx"), "NextRunPage"),
});

const allPayoutsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/all",
  validateSearch: readAllPayoutsSearch,
  component: lazyPage(() => import("../payouts/all-page.tsx"), "AllPayoutsPage"),
});

const payoutRunRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/runs/$id",
  validateSearch: readRunSearch,
  component: lazyPage(() => import("../payouts/run-page.tsx"), "RunPage"),
});

const payoutRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/$id",
  component: lazyPage(() => import("../payouts/payout-page.tsx"), "PayoutPage"),
});

const statementRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/$id/statement",
  component: lazyPage(() => import("../payouts/statement-page.tsx"), "StatementPage"),
});

const claimsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/claims",
  validateSearch: readClaimSearch,
  component: lazyPage(() => import("../customers/claims/list-page.tsx"), "ClaimsPage"),
});

const claimRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/claims/$id",
  component: lazyPage(() => import("../customers/claims/claim-page.tsx"), "ClaimPage"),
});

/** Payments, commissions, payouts and claims. */
export const moneyRoutes = [
  paymentsRoute,
  tryPaymentRoute,
  paymentRoute,
  commissionsRoute,
  reviewRoute,
  flaggedRoute,
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
