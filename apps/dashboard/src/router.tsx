import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { QueryClient } from "@tanstack/react-query";
import { createRoute, createRouter, redirect } from "@tanstack/react-router";
import { parseSearch, searchReader, writeSearch } from "./lists/search.ts";
import { developerRoutes } from "./routes/developers.ts";
import { lazyPage } from "./routes/lazy-page.ts";
import { moneyRoutes } from "./routes/money.ts";
import { organizationRoute } from "./routes/organization-route.ts";
import { peopleRoutes } from "./routes/people.ts";
import { programRoutes } from "./routes/program.ts";
import { NotFoundPage, requireMe, rootRoute } from "./routes/root-route.ts";
import { settingsRoutes } from "./routes/settings.ts";
import { ErrorPage } from "./shell/error-page.tsx";

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

const organizationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/organizations",
  beforeLoad: async ({ context, location }) => {
    await requireMe(context, location.pathname);
  },
  component: lazyPage(() => import("./organizations/list-page.tsx"), "OrganizationsPage"),
});

/** `from`: the organization that the person came from. */
const readAccountSearch = searchReader({ from: (slug) => slug.length <= 63 });

const accountRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/me",
  validateSearch: readAccountSearch,
  beforeLoad: async ({ context, location }) => {
    await requireMe(context, `${location.pathname}${location.searchStr}`);
  },
  component: lazyPage(() => import("./identity/account/account-page.tsx"), "AccountPage"),
});

const organizationRoutes = organizationRoute.addChildren([
  ...programRoutes,
  ...peopleRoutes,
  ...moneyRoutes,
  ...developerRoutes,
  ...settingsRoutes,
]);

const routeTree = rootRoute.addChildren([startRoute, organizationsRoute, accountRoute, organizationRoutes]);

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
