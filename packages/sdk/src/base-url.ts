import { FindersfeeError, invalidArgument } from "./errors.ts";

/**
 * The API's root, which ends in `/v1`; all requests go below it. Takes the service's address with or without
 * `/v1` or `/v1/trpc`. Throws `invalid_request`, which never shows the value: it may be a key in the wrong place.
 */
export function readBaseUrl(value: unknown): string {
  const url = parseUrl(value);
  if (url === null || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw wrong(
      "Must be the service's address with http:// or https://, as in https://findersfee.example.com.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw wrong("Must hold no user name and no password; the key goes into apiKey.");
  }
  if (url.search !== "" || url.hash !== "") throw wrong("Must have no query (?) and no fragment (#).");
  return `${url.origin}${servicePath(url.pathname)}/v1`;
}

/** A path without the segments of the API's surfaces, and without slashes, at its end. */
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
  try {
    return new URL(String(value));
  } catch {
    return null;
  }
}

function wrong(message: string): FindersfeeError {
  return new FindersfeeError(invalidArgument("baseUrl", message));
}
