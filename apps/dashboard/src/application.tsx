import "./main.css";
import { createQueryClient } from "@findersfee/ui/requests/query-client";
import { render } from "@findersfee/ui/shell/render";
import { RouterProvider } from "@tanstack/react-router";
import { createApplicationRouter } from "./router.tsx";
import { meQuery } from "./session/session.tsx";

const client = createQueryClient(() => {
  client.removeQueries(meQuery);
  void router.invalidate();
});
const router = createApplicationRouter(client);

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}

// In parallel: the person, and the code of the page.
void client.prefetchQuery(meQuery);
const routes: (keyof typeof router.routesById)[] = router
  .matchRoutes(router.latestLocation)
  .map(({ routeId }) => routeId);
for (const id of routes) void router.loadRouteChunk(router.routesById[id]);

render(client, <RouterProvider router={router} />);
