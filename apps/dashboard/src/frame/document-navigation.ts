import type { Navigation } from "@findersfee/ui/navigation";
import { APPLICATION_PATH } from "../requests/application-path.ts";

const hrefOf = (to: string) => `${APPLICATION_PATH}${to}`;

/** Loads a document for each address. */
export const documentNavigation: Navigation = {
  hrefOf,
  navigate: (to) => window.location.assign(hrefOf(to)),
};
