import type { Browser } from "@findersfee/domain/identity/accounts/browser";
import type { FastifyRequest } from "fastify";
import { type CookieName, cookieName, readCookie } from "./cookies.ts";
import { addressOf, wideNetworkOf } from "./network.ts";

/** The cookie that makes a browser known to a person's account. */
export function deviceCookie(public_url: string | null): CookieName {
  return cookieName("findersfee_device", public_url);
}

/** The browser of a request, as the lists of sessions and security events show it. */
export function browserOf(request: FastifyRequest): Browser {
  return {
    ip_address: addressOf(request),
    network: wideNetworkOf(request),
    user_agent: request.headers["user-agent"] ?? null,
  };
}

/** The same for a person of the dashboard. Their account may know the browser. */
export function deviceOf(request: FastifyRequest, public_url: string | null): Browser {
  return { ...browserOf(request), device_token: readCookie(request, deviceCookie(public_url).name) };
}
