import { createRoute } from "@tanstack/react-router";
import { readApiKeySearch } from "../identity/api-keys/search.ts";
import { readMessageSearch } from "../processors/messages/search.ts";
import { readPromoCodeSearch } from "../processors/promo-codes/search.ts";
import { readDeliverySearch } from "../webhooks/deliveries/search.ts";
import { readEndpointSearch } from "../webhooks/endpoints/search.ts";
import { readEventSearch } from "../webhooks/events/search.ts";
import { lazyPage } from "./lazy-page.ts";
import { organizationRoute } from "./organization-route.ts";

const connectionsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections",
  component: lazyPage(() => import("../processors/connections/list-page.tsx"), "ConnectionsPage"),
});

const connectionRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/$processor",
  component: lazyPage(() => import("../processors/connections/connection-page.tsx"), "ConnectionPage"),
});

const messagesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/messages",
  validateSearch: readMessageSearch,
  component: lazyPage(() => import("../processors/messages/list-page.tsx"), "MessagesPage"),
});

const messageRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/messages/$processor/$id",
  component: lazyPage(() => import("../processors/messages/message-page.tsx"), "MessagePage"),
});

const promoCodesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/connections/promo-codes",
  validateSearch: readPromoCodeSearch,
  component: lazyPage(() => import("../processors/promo-codes/list-page.tsx"), "PromoCodesPage"),
});

const apiKeysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/keys",
  validateSearch: readApiKeySearch,
  component: lazyPage(() => import("../identity/api-keys/list-page.tsx"), "ApiKeysPage"),
});

const eventsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/events",
  validateSearch: readEventSearch,
  component: lazyPage(() => import("../webhooks/events/list-page.tsx"), "EventsPage"),
});

const eventRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/events/$id",
  component: lazyPage(() => import("../webhooks/events/event-page.tsx"), "EventPage"),
});

const endpointsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks",
  validateSearch: readEndpointSearch,
  component: lazyPage(() => import("../webhooks/endpoints/list-page.tsx"), "EndpointsPage"),
});

/** With an event: its delivery beside the list. */
const deliveriesRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/{-$event}",
  validateSearch: readDeliverySearch,
  component: lazyPage(() => import("../webhooks/deliveries/deliveries-page.tsx"), "DeliveriesPage"),
});

const replaysRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/replays",
  component: lazyPage(() => import("../webhooks/replays/replays-page.tsx"), "ReplaysPage"),
});

const endpointSettingsRoute = createRoute({
  getParentRoute: () => organizationRoute,
  path: "/developers/webhooks/$endpoint/settings",
  component: lazyPage(() => import("../webhooks/endpoints/settings-page.tsx"), "EndpointSettingsPage"),
});

/** Connections, keys, events and webhooks. */
export const developerRoutes = [
  connectionsRoute,
  connectionRoute,
  messagesRoute,
  messageRoute,
  promoCodesRoute,
  apiKeysRoute,
  eventsRoute,
  eventRoute,
  endpointsRoute,
  deliveriesRoute,
  replaysRoute,
  endpointSettingsRoute,
] as const;
