import { version } from "../package.json";

/**
 * Browsers have a User-Agent of their own: some drop another one, others ask the service by a CORS preflight
 * whether they may send it. Their pages have a `document`, their workers `importScripts`.
 */
export function userAgent(): string | null {
  return "document" in globalThis || "importScripts" in globalThis ? null : `findersfee-sdk/${version}`;
}
