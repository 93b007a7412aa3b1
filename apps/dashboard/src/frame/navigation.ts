import type { Navigation } from "@findersfee/ui/navigation";
import type { AnyRouter } from "@tanstack/react-router";
import { APPLICATION_PATH } from "../requests/application-path.ts";

/** Connects the links of components to the router. */
export function navigationOf(router: AnyRouter): Navigation {
  const hrefOf = (to: string) => `${APPLICATION_PATH}${to}`;
  return {
    hrefOf,
    navigate: (to) => router.history.push(hrefOf(to)),
    preload: (to) => {
      const { pathname } = new URL(to, "http://application");
      const search = Object.fromEntries(new URL(to, "http://application").searchParams);
      void router.preloadRoute({ to: pathname, search });
    },
  };
}
