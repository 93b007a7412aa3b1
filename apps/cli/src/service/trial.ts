import { isIPv4 } from "node:net";
import type { Config } from "../config.ts";

/** Whether this is a trial on one machine: with the embedded database, and out of reach of other machines. */
export function isTrial({ DATABASE_URL, HOST }: Config): boolean {
  return DATABASE_URL === null && isLoopback(HOST);
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIPv4(host) && host.startsWith("127."));
}
