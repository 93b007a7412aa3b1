/** A response as far as it is read. */
export interface Fetched {
  /** The address that answered, after redirects. */
  url: string;
  status: number;
  headers: Headers;
  text: string;
}

/** A response that did not come, as a sentence. */
export class FetchProblem extends Error {
  override readonly name = "FetchProblem";
}

const MAX_REDIRECTS = 5;
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_SECONDS = 10;

/** Fetches an address as a browser does: at most 5 redirects, 10 seconds with all of them, and the first MiB. Throws FetchProblem. */
export async function fetchBounded(address: string, init: RequestInit = {}): Promise<Fetched> {
  const signal = AbortSignal.timeout(TIMEOUT_SECONDS * 1000);
  let url = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(url, { ...init, redirect: "manual", signal }).catch(explain);
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null) {
      const text = await readText(response).catch(explain);
      return { url, status: response.status, headers: response.headers, text };
    }
    await response.body?.cancel();
    url = targetOf(location, url);
  }
  throw new FetchProblem(`${address} has more than ${MAX_REDIRECTS} redirects.`);
}

function targetOf(location: string, base: string): string {
  const target = URL.canParse(location, base) ? new URL(location, base) : null;
  if (target === null || !/^https?:$/.test(target.protocol)) {
    throw new FetchProblem(`${base} redirects to ${location.slice(0, 200)}, which is no web address.`);
  }
  return target.href;
}

async function readText({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const reader = body.getReader();
  while (bytes < MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.length;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel();
  return text;
}

function explain(error: unknown): never {
  if (error instanceof Error && error.name === "TimeoutError") {
    throw new FetchProblem(`no answer within ${TIMEOUT_SECONDS} seconds.`);
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  throw new FetchProblem(cause instanceof Error ? cause.message : String(cause));
}
