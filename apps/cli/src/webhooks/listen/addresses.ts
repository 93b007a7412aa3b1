import { isIPv6 } from "node:net";
import { parseUrl } from "@findersfee/contract/parse-url";
import { endpointUrlProblem } from "@findersfee/domain/webhooks/endpoints/url";
import { z } from "zod";
import { UsageError } from "../../options.ts";

/** The address of a service on this machine that runs with the default configuration. */
export const LOCAL_SERVICE = "http://127.0.0.1:3000";

/** Not every platform can connect to the wildcard address. */
const ALL_ADDRESSES: Record<string, string> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/**
 * The address of a service on this machine with this configuration.
 *
 * @throws UsageError when the service picks a free port
 */
export function localService({ HOST, PORT }: { HOST: string; PORT: number }): string {
  if (PORT === 0) {
    throw new UsageError("--base-url: Required with PORT=0. `findersfee start` prints the API's address.");
  }
  const host = ALL_ADDRESSES[HOST] ?? HOST;
  return `http://${isIPv6(host) ? `[${host}]` : host}:${PORT}`;
}

/** The format that `serviceAddress` accepts. */
export const SERVICE_ADDRESS = `the service's http or https address, as in ${LOCAL_SERVICE}`;

/** The address of a service; the address of one of its surfaces (`…/v1`) is accepted as well. */
export function serviceAddress(error: string) {
  return z
    .string()
    .refine(isServiceAddress, { error })
    .transform((text) => {
      const { origin, pathname } = new URL(text);
      return `${origin}${pathname.replace(/\/+$/, "").replace(/(\/+v1)?(\/+trpc)?$/, "")}`;
    });
}

function isServiceAddress(text: string): boolean {
  const url = parseUrl(text);
  if (url === null) return false;
  const is_plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return (url.protocol === "http:" || url.protocol === "https:") && is_plain;
}

/** A receiver's address: any host, including this machine, with or without TLS. */
export const receiverAddress = z.string().check(({ value, issues }) => {
  const message = receiverProblem(value);
  if (message !== null) issues.push({ code: "custom", message, input: value });
});

function receiverProblem(text: string): string | null {
  if (!/^https?:\/\/./i.test(text) || parseUrl(text) === null) {
    return "Must be an http or https URL, as in http://localhost:4242/webhooks.";
  }
  return endpointUrlProblem(text, { allow_http: true, allow_private: true });
}
