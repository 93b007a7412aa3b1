import type { ErrorObject } from "@findersfee/contract/errors";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import { RequestFailed } from "@findersfee/ui/requests/failure";
import { readJson, send } from "@findersfee/ui/requests/fetch-json";

/**
 * Saves a file of the service, such as `/dashboard/jobs/<id>/file`. A link cannot name the organization, so
 * the file is read first. Throws errors that `failureOf` explains.
 */
export async function download(organization_id: string, path: string): Promise<void> {
  const response = await send(`${APPLICATION_PATH}${path}`, {
    headers: { "findersfee-organization": organization_id },
  });
  if (!response.ok) {
    const { error } = await readJson<{ error: ErrorObject }>(response);
    throw new RequestFailed(response, error ?? null);
  }
  saveFile(await response.blob(), nameOf(response) ?? "file");
}

/** Has the browser save a file. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}

function nameOf({ headers }: Response): string | undefined {
  return /filename="([^"]+)"/.exec(headers.get("content-disposition") ?? "")?.[1];
}
