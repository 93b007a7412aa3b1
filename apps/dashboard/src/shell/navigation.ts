import type { Navigation } from "@findersfee/ui/navigation";
import type { AnyRouter } from "@tanstack/react-router";
import { documentNavigation } from "./document-navigation.ts";

/** Addresses of the entrance's document, which has other pages. */
const ENTRANCE = /^\/(sign-in|setup|reset|invitation)(?![^/?#])/;

/** Connects the links of components to the router. */
export function navigationOf(router: AnyRouter): Navigation {
  const { hrefOf, navigate } = documentNavigation;
  return {
    hrefOf,
    navigate: (to) => (ENTRANCE.test(to) ? navigate(to) : router.history.push(hrefOf(to))),
    preload: (to) => {
      const { pathname } = new URL(to, "http://application");
      const search = Object.fromEntries(new URL(to, "http://application").searchParams);
      void router.preloadRoute({ to: pathname, search });
    },
    onShown: (listener) => router.subscribe("onRendered", listener),
  };
}
