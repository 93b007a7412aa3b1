import { FindersfeeError, invalidArgument } from "../errors/errors.ts";

/**
 * Reads the API's root, which ends in `/v1`. Accepts the service's address with or without `/v1` or
 * `/v1/trpc`. Throws `invalid_request` without showing the value, which may be a key passed by mistake.
 */
export function readBaseUrl(value: unknown): string {
  const url = parseUrl(value);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw wrong(
      "Must be the service's address with http:// or https://, as in https://findersfee.example.com.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw wrong("Must not contain a user name or password; pass the key as apiKey.");
  }
  if (url.search !== "" || url.hash !== "") throw wrong("Must not have a query (?) or fragment (#).");
  return `${url.origin}${servicePath(url.pathname)}/v1`;
}

/** A path without trailing slashes and without the API's own trailing segments. */
function servicePath(path: string): string {
  const segments = path.split("/");
  const dropSlashes = () => {
    while (segments.at(-1) === "") segments.pop();
  };
  dropSlashes();
  for (const surface of ["trpc", "v1"]) {
    if (segments.at(-1) === surface) segments.pop();
    dropSlashes();
  }
  return segments.join("/");
}

function parseUrl(value: unknown): URL | null {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not a URL, which callers report
  try {
    return new URL(String(value));
  } catch {
    return null;
  }
}

function wrong(message: string): FindersfeeError {
  return new FindersfeeError(invalidArgument("baseUrl", message));
}
