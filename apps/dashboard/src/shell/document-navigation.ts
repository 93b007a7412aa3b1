import type { Navigation } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";

const hrefOf = (to: string) => `${APPLICATION_PATH}${to}`;

/** Loads a document for each address. */
export const documentNavigation: Navigation = {
  hrefOf,
  navigate: (to) => window.location.assign(hrefOf(to)),
};
