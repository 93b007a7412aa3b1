import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { readAffiliateSearch } from "./affiliates/search.ts";
import { readCommissionSearch } from "./commissions/search.ts";
import { readDeliverySearch } from "./deliveries/search.ts";
import { readEndpointSearch } from "./endpoints/search.ts";
import { ErrorPage } from "./frame/error-page.tsx";
import { Root } from "./frame/root.tsx";
import { parseSearch, searchReader, writeSearch } from "./lists/search.ts";
import { readPaymentSearch } from "./payments/search.ts";
import type { Me } from "./requests/account.ts";
import { APPLICATION_PATH } from "./requests/application-path.ts";
import { failureOf } from "./requests/failure.ts";
import { meQuery } from "./session/session.tsx";

interface RouterContext {
  client: QueryClient;
}

const NotFoundPage = lazyRouteComponent(() => import("./frame/not-found-page.tsx"), "NotFoundPage");

const rootRoute = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: NotFoundPage,
});

/** The person who is signed in; others are sent to the sign-in page, and back from there. */
async function requireMe({ client }: RouterContext, here: string): Promise<Me> {
  try {
    return await client.ensureQueryData(meQuery);
  } catch (error) {
    if (failureOf(error).status !== 401) throw error;
    client.clear();
    throw redirect({ to: "/sign-in", search: { to: here }, replace: true });
  }
}

/** Addresses within the application only: others could lead anywhere after the sign-in. */
const readReturn = searchReader({ to: (to) => /^\/(?![/\\])/.test(to) });

const startRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/",
  beforeLoad: async ({ context }) => {
    const { organizations } = await requireMe(context, "/");
    const [only] = organizations;
    if (only === undefined || organizations.length > 1) throw redirect({ to: "/organizations" });
    throw redirect({ to: "/o/$slug", params: { slug: only.slug } });
  },
});

const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in",
  validateSearch: readReturn,
  component: lazyRouteComponent(() => import("./session/sign-in-page.tsx"), "SignInPage"),
});

const secondStepRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/sign-in/second-step",
  validateSearch: readReturn,
  component: lazyRouteComponent(() => import("./session/second-step-page.tsx"), "SecondStepPage"),
});

const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/setup",
  component: lazyRouteComponent(() => import("./session/setup-page.tsx"), "SetupPage"),
});

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/reset",
  component: lazyRouteComponent(() => import("./session/reset-page.tsx"), "ResetPage"),
});

const invitationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/invitation/$token",
  component: lazyRouteComponent(() => import("./session/invitation-page.tsx"), "InvitationPage"),
});

const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/organizations",
  beforeLoad: async ({ context, location }) => {
    await requireMe(context, location.pathname);
  },
  component: lazyRouteComponent(() => import("./session/organizations-page.tsx"), "OrganizationsPage"),
});

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
  beforeLoad: ({ params }) => {
    throw redirect({ to: "/o/$slug/payments", params, replace: true });
  },
});

const affiliatesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/affiliates",
  validateSearch: readAffiliateSearch,
  component: lazyRouteComponent(() => import("./affiliates/list-page.tsx"), "AffiliatesPage"),
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

const commissionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/commissions/$id",
  component: lazyRouteComponent(() => import("./commissions/story-page.tsx"), "StoryPage"),
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

const endpointSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/settings",
  component: lazyRouteComponent(() => import("./endpoints/settings-page.tsx"), "EndpointSettingsPage"),
});

const routeTree = rootRoute.addChildren([
  startRoute,
  signInRoute,
  secondStepRoute,
  setupRoute,
  resetRoute,
  invitationRoute,
  organizationsRoute,
  organizationRoute.addChildren([
    organizationStartRoute,
    affiliatesRoute,
    paymentsRoute,
    tryPaymentRoute,
    paymentRoute,
    commissionsRoute,
    commissionRoute,
    endpointsRoute,
    deliveriesRoute,
    endpointSettingsRoute,
  ]),
]);

export function createApplicationRouter(client: QueryClient) {
  return createRouter({
    routeTree,
    basepath: APPLICATION_PATH === "" ? "/" : APPLICATION_PATH,
    context: { client },
    parseSearch,
    stringifySearch: writeSearch,
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    // The code of a page is loaded when the pointer reaches its link.
    defaultPreload: false,
    scrollRestoration: true,
  });
}
