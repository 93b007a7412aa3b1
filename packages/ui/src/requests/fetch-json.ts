import { RequestFailed } from "./failure.ts";

/** Sends a request. Throws `RequestFailed` without a response if there was none. */
export async function send(url: string, init?: RequestInit): Promise<Response> {
  return await fetch(url, init).catch(() => {
    throw new RequestFailed(null, null);
  });
}

/**
 * The JSON of a response. Throws `RequestFailed` without a response if a success broke off. An error that is not JSON is a
 * proxy's: it has no fields.
 */
export async function readJson<Content extends object>(response: Response): Promise<Partial<Content>> {
  const content = response.json() as Promise<Partial<Content>>;
  return await content.catch(() => {
    if (response.ok) throw new RequestFailed(null, null);
    return {};
  });
}
