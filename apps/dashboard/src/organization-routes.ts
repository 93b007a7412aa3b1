import { createRoute, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { readAffiliateSearch, readAffiliateTab, readWaitingSearch } from "./affiliates/search.ts";
import { readApiKeySearch } from "./api-keys/search.ts";
import { readCampaignSearch } from "./campaigns/search.ts";
import { readCommissionSearch } from "./commissions/search.ts";
import { readDeliverySearch } from "./deliveries/search.ts";
import { readEndpointSearch } from "./endpoints/search.ts";
import { readEventSearch } from "./events/search.ts";
import { readHistorySearch } from "./history/search.ts";
import { readMessageSearch } from "./messages/search.ts";
import { readOverviewSearch } from "./overview/search.ts";
import { readPaymentSearch } from "./payments/search.ts";
import { readNextRunSearch, readRunSearch } from "./payouts/search.ts";
import { readPromoCodeSearch } from "./promo-codes/search.ts";
import { readReferralSearch, readTimelineSearch } from "./referrals/search.ts";
import { requireMe, rootRoute } from "./root-route.ts";

const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/o/$slug",
  beforeLoad: async ({ context, location }) => {
    await requireMe(context, `${location.pathname}${location.searchStr}`);
  },
  component: lazyRouteComponent(() => import("./frame/organization-page.tsx"), "OrganizationPage"),
});

const organizationStartRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/",
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import("./overview/start-page.tsx"), "StartPage"),
});

const getStartedRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/get-started",
  component: lazyRouteComponent(() => import("./onboarding/get-started.tsx"), "GetStartedPage"),
});

const affiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates",
  validateSearch: readAffiliateSearch,
  component: lazyRouteComponent(() => import("./affiliates/list-page.tsx"), "AffiliatesPage"),
});

const waitingRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/waiting",
  validateSearch: readWaitingSearch,
  component: lazyRouteComponent(() => import("./affiliates/waiting-page.tsx"), "WaitingPage"),
});

const newAffiliateRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/new",
  component: lazyRouteComponent(() => import("./affiliates/new-page.tsx"), "NewAffiliatePage"),
});

const importAffiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/import",
  component: lazyRouteComponent(() => import("./affiliate-import/import-page.tsx"), "ImportPage"),
});

const affiliateRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates/$id",
  validateSearch: readAffiliateTab,
  component: lazyRouteComponent(() => import("./affiliate-detail/affiliate-page.tsx"), "AffiliatePage"),
});

const referralsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/referrals",
  validateSearch: readReferralSearch,
  component: lazyRouteComponent(() => import("./referrals/list-page.tsx"), "ReferralsPage"),
});

const referralRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/referrals/$id",
  validateSearch: readTimelineSearch,
  component: lazyRouteComponent(() => import("./referrals/referral-page.tsx"), "ReferralPage"),
});

const campaignsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/campaigns",
  validateSearch: readCampaignSearch,
  component: lazyRouteComponent(() => import("./campaigns/list-page.tsx"), "CampaignsPage"),
});

const newCampaignRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/campaigns/new",
  component: lazyRouteComponent(() => import("./campaign-editor/new-page.tsx"), "NewCampaignPage"),
});

const campaignRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/campaigns/$id",
  component: lazyRouteComponent(() => import("./campaign-editor/frame.tsx"), "CampaignFrame"),
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
  component: lazyRouteComponent(() => import("./campaign-editor/rules-page.tsx"), "RulesPage"),
});

const campaignFormRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/form",
  component: lazyRouteComponent(() => import("./campaign-editor/form-page.tsx"), "FormPage"),
});

const campaignPortalRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/portal",
  component: lazyRouteComponent(() => import("./campaign-editor/portal-page.tsx"), "PortalPage"),
});

const campaignInstallRoute = createRoute({
  getParentRoute: () => campaignRoute,
  path: "/install",
  component: lazyRouteComponent(() => import("./campaign-editor/install-page.tsx"), "InstallPage"),
});

const paymentsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments",
  validateSearch: readPaymentSearch,
  component: lazyRouteComponent(() => import("./payments/list-page.tsx"), "PaymentsPage"),
});

const tryPaymentRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments/try",
  component: lazyRouteComponent(() => import("./payments/try-page.tsx"), "TryPaymentPage"),
});

const paymentRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payments/$id",
  component: lazyRouteComponent(() => import("./payments/decision-page.tsx"), "DecisionPage"),
});

const commissionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions",
  validateSearch: readCommissionSearch,
  component: lazyRouteComponent(() => import("./commissions/list-page.tsx"), "CommissionsPage"),
});

const newCommissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/new",
  component: lazyRouteComponent(() => import("./commissions/new-page.tsx"), "NewCommissionPage"),
});

const commissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/$id",
  component: lazyRouteComponent(() => import("./commissions/story-page.tsx"), "StoryPage"),
});

const connectionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections",
  component: lazyRouteComponent(() => import("./connections/list-page.tsx"), "ConnectionsPage"),
});

const connectionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/$processor",
  component: lazyRouteComponent(() => import("./connections/connection-page.tsx"), "ConnectionPage"),
});

const messagesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/messages",
  validateSearch: readMessageSearch,
  component: lazyRouteComponent(() => import("./messages/list-page.tsx"), "MessagesPage"),
});

const messageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/messages/$processor/$id",
  component: lazyRouteComponent(() => import("./messages/message-page.tsx"), "MessagePage"),
});

const promoCodesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/promo-codes",
  validateSearch: readPromoCodeSearch,
  component: lazyRouteComponent(() => import("./promo-codes/list-page.tsx"), "PromoCodesPage"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/keys",
  validateSearch: readApiKeySearch,
  component: lazyRouteComponent(() => import("./api-keys/list-page.tsx"), "ApiKeysPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/events",
  validateSearch: readEventSearch,
  component: lazyRouteComponent(() => import("./events/list-page.tsx"), "EventsPage"),
});

const eventRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/events/$id",
  component: lazyRouteComponent(() => import("./events/event-page.tsx"), "EventPage"),
});

const payoutRunsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts",
  component: lazyRouteComponent(() => import("./payouts/runs-page.tsx"), "PayoutRunsPage"),
});

const nextRunRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/next",
  validateSearch: readNextRunSearch,
  component: lazyRouteComponent(() => import("./payouts/next-run-page.tsx"), "NextRunPage"),
});

const payoutRunRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/runs/$id",
  validateSearch: readRunSearch,
  component: lazyRouteComponent(() => import("./payouts/run-page.tsx"), "RunPage"),
});

const payoutRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/$id",
  component: lazyRouteComponent(() => import("./payouts/payout-page.tsx"), "PayoutPage"),
});

const statementRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/payouts/$id/statement",
  component: lazyRouteComponent(() => import("./payouts/statement-page.tsx"), "StatementPage"),
});

const endpointsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks",
  validateSearch: readEndpointSearch,
  component: lazyRouteComponent(() => import("./endpoints/list-page.tsx"), "EndpointsPage"),
});

/** With an event: its delivery beside the list. */
const deliveriesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/{-$event}",
  validateSearch: readDeliverySearch,
  component: lazyRouteComponent(() => import("./deliveries/deliveries-page.tsx"), "DeliveriesPage"),
});

const replaysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/replays",
  component: lazyRouteComponent(() => import("./replays/replays-page.tsx"), "ReplaysPage"),
});

const endpointSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/settings",
  component: lazyRouteComponent(() => import("./endpoints/settings-page.tsx"), "EndpointSettingsPage"),
});

const teamRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/team",
  component: lazyRouteComponent(() => import("./team/team-page.tsx"), "TeamPage"),
});

const organizationSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/organization",
  component: lazyRouteComponent(() => import("./settings/organization-page.tsx"), "OrganizationSettingsPage"),
});

const payoutSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/payouts",
  component: lazyRouteComponent(() => import("./settings/payouts-page.tsx"), "PayoutSettingsPage"),
});

const historyRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/history",
  validateSearch: readHistorySearch,
  component: lazyRouteComponent(() => import("./history/history-page.tsx"), "HistoryPage"),
});

const healthRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/settings/health",
  component: lazyRouteComponent(() => import("./health/health-page.tsx"), "HealthPage"),
});

/** The pages of an organization. */
export const organizationRoutes = organizationRoute.addChildren([
  organizationStartRoute,
  getStartedRoute,
  campaignsRoute,
  newCampaignRoute,
  campaignRoute.addChildren([
    campaignStartRoute,
    campaignRulesRoute,
    campaignFormRoute,
    campaignPortalRoute,
    campaignInstallRoute,
  ]),
  affiliatesRoute,
  waitingRoute,
  newAffiliateRoute,
  importAffiliatesRoute,
  affiliateRoute,
  referralsRoute,
  referralRoute,
  paymentsRoute,
  tryPaymentRoute,
  paymentRoute,
  commissionsRoute,
  newCommissionRoute,
  commissionRoute,
  connectionsRoute,
  connectionRoute,
  messagesRoute,
  messageRoute,
  promoCodesRoute,
  apiKeysRoute,
  eventsRoute,
  eventRoute,
  payoutRunsRoute,
  nextRunRoute,
  payoutRunRoute,
  payoutRoute,
  statementRoute,
  endpointsRoute,
  deliveriesRoute,
  replaysRoute,
  endpointSettingsRoute,
  teamRoute,
  organizationSettingsRoute,
  payoutSettingsRoute,
  historyRoute,
  healthRoute,
]);
