import { version } from "../../package.json";

/**
 * Browsers send a User-Agent of their own: some drop a custom one, others ask for permission with a CORS
 * preflight. Pages are detected by `document`, workers by `importScripts`.
 */
export function userAgent(): string | null {
  return "document" in globalThis || "importScripts" in globalThis ? null : `findersfee-sdk/${version}`;
}
