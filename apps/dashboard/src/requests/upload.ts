import type { ErrorObject } from "@findersfee/contract/errors";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { RequestFailed } from "@findersfee/ui/requests/failure";
import { readJson, send } from "@findersfee/ui/requests/fetch-json";

/** Sends a CSV file to one of the service's routes for files. Throws `RequestFailed`. */
export async function uploadCsv(organization_id: string, path: string, file: string): Promise<void> {
  const response = await send(`${APPLICATION_PATH}${path}`, {
    method: "POST",
    headers: { "findersfee-organization": organization_id, "content-type": "text/csv" },
    body: file,
  });
  if (response.ok) return;
  const answer = await readJson<{ error: ErrorObject }>(response);
  throw new RequestFailed(response, answer.error ?? null);
}
