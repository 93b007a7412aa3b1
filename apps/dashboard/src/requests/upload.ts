import type { ErrorObject } from "@findersfee/contract/errors";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { RequestFailed } from "@findersfee/ui/requests/failure";

/** Sends a CSV file to one of the service's routes for files. Throws `RequestFailed`. */
export async function uploadCsv(organization_id: string, path: string, file: string): Promise<void> {
  const response = await fetch(`${APPLICATION_PATH}${path}`, {
    method: "POST",
    headers: { "findersfee-organization": organization_id, "content-type": "text/csv" },
    body: file,
  }).catch(() => null);
  if (response === null) throw new RequestFailed(null, null);
  if (response.ok) return;
  const answer: { error?: ErrorObject } = await response.json().catch(() => ({}));
  throw new RequestFailed(response, answer.error ?? null);
}
