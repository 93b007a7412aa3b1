import { createRoute } from "@tanstack/react-router";
import { lazyPage } from "./lazy-page.ts";
import { NotFoundPage, requireMe, rootRoute } from "./root-route.ts";

/** The frame of an organization's pages, for members who are signed in. */
export const organizationRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: "/o/$slug",
  beforeLoad: async ({ context, location }) => {
    await requireMe(context, `${location.pathname}${location.searchStr}`);
  },
  component: lazyPage(() => import("./organization-frame.tsx"), "OrganizationFrame"),
  notFoundComponent: NotFoundPage,
});
