import type { ErrorObject } from "@findersfee/contract/errors";
import type { ImportedResults } from "@findersfee/contract/payouts/files";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { RequestFailed } from "@findersfee/ui/requests/failure";
import { readJson, send } from "@findersfee/ui/requests/fetch-json";
import type { PayoutFile } from "./queries.ts";

export interface Report {
  organization_id: string;
  run_id: string;
  format: PayoutFile["format"];
  file: File;
}

/** Sends a provider's report to be checked, or to be applied. Throws `RequestFailed`. */
export async function sendReport(
  { organization_id, run_id, format, file }: Report,
  { apply }: { apply: boolean },
): Promise<ImportedResults> {
  const query = new URLSearchParams({ format, ...(apply ? {} : { check: "true" }) });
  const response = await send(`${APPLICATION_PATH}/dashboard/payout-runs/${run_id}/results?${query}`, {
    method: "POST",
    headers: { "content-type": "text/csv", "findersfee-organization": organization_id },
    body: file,
  });
  const answer = await readJson<{ data: ImportedResults; error: ErrorObject }>(response);
  if (response.ok) return answer.data as ImportedResults;
  throw new RequestFailed(response, answer.error ?? null);
}
