import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { ProcessorName } from "./queries.ts";

/** The URL to which a processor posts its messages of an organization. */
export function intakeAddress(name: ProcessorName, organization_id: string): string {
  return `${window.location.origin}${APPLICATION_PATH}/processors/${name}/${organization_id}`;
}
