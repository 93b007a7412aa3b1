import type { IncomingMessage } from "node:http";
import { DomainError } from "@findersfee/domain/errors";
import type { LinkHost, OwnHost, PortalHost, ServedHosts } from "@findersfee/domain/portal/hosts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pathOf } from "../not-found.ts";
import { isRedirectUrl, REDIRECT_PATH } from "../redirect-path.ts";
import { limitAddresses } from "./limit-addresses.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The organization that has its portal at the requested host; null: the host is another one. */
    portal_host: PortalHost | null;
    /** The organization that has its links at the requested host; null: the host is another one. */
    link_host: LinkHost | null;
  }
}

/** Looked up hosts per address and minute: enough for a client that uses one. */
const LIMIT_PER_MINUTE = 600;

/** Probes ask for a process, not for a host, and do not depend on the database. */
const ANYWHERE: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Answers at every host name of an organization, too, since it is the service that researchers report about. */
const SECURITY_CONTACT = "/.well-known/security.txt";

/** At the host name of a portal, the short address to join its program. */
const JOIN = "/join";

const SCRIPTS: ReadonlySet<string> = new Set(["/tracker.js", "/discount.js"]);
const TRACKING = "/track/";

/**
 * Routes `/jane` at a host of an organization like the redirect link `/r/jane`, before anybody knows which host it is: the path means
 * nothing at those of portals, and at hosts of nobody.
 */
export function routeAtHosts(hosts: ServedHosts): (request: IncomingMessage) => string {
  return ({ url = "/", headers: { host } }) => {
    if (host === undefined || hosts.isOwn(host) || !url.startsWith("/")) return url;
    const path = pathOf(url);
    const is_route =
      ANYWHERE.has(path) || isOfPortal(path) || isOfTracking(path) || path.startsWith(REDIRECT_PATH);
    return is_route ? url : `${REDIRECT_PATH}${url.slice(1)}`;
  };
}

/**
 * Serves everything at the service's own hosts, an organization's portal and links at its own host names, and nothing else there: no
 * dashboard, no API. Other hosts get `misdirected_request`. `Host` alone counts, since proxies pass the `X-Forwarded-Host` of clients
 * on. Call it before other hooks are added.
 */
export function serveOwnHosts(
  app: FastifyInstance,
  { hosts, is_limited }: { hosts: ServedHosts; is_limited: boolean },
): void {
  const limit = is_limited ? limitAddresses(LIMIT_PER_MINUTE) : null;
  const lookUp = async (request: FastifyRequest, reply: FastifyReply, host: string) => {
    await new Promise<void>((resolve, reject) => {
      if (limit === null) resolve();
      else limit(request, reply, (error) => (error === undefined ? resolve() : reject(error)));
    });
    return await hosts.lookUp(host);
  };
  app.decorateRequest("portal_host", null);
  app.decorateRequest("link_host", null);
  app.addHook("onRequest", (request, reply, done) => {
    const { host } = request.headers;
    if (host === undefined || hosts.isOwn(host)) {
      done();
      return;
    }
    if (ANYWHERE.has(pathOf(request.originalUrl))) {
      done();
      return;
    }
    const known = hosts.peek(host);
    const found = known === undefined ? lookUp(request, reply, host) : Promise.resolve(known);
    found
      .then((own) => {
        if (own === null) throw new DomainError("misdirected_request");
        const address = admitAt(own, request);
        if (address === null) done();
        else reply.redirect(address);
      })
      .catch((error: Error) => done(error));
  });
}

/** Throws `not_found` for a path that the host does not have. Returns the address of the portal that the path leads to; null: none. */
function admitAt(own: OwnHost, request: FastifyRequest): string | null {
  const path = pathOf(request.originalUrl);
  if (own.use === "link") {
    request.link_host = own;
    if (isRedirectUrl(request.url) || isOfTracking(path)) return null;
    throw elsewhere("This host has affiliates' links alone.");
  }
  request.portal_host = own;
  if (path === "/") return "/portal";
  if (path === JOIN) return `/portal/${own.slug}/join${request.originalUrl.slice(JOIN.length)}`;
  if (!isOfPortal(path)) throw elsewhere("This host has the affiliates' portal alone.");
  return null;
}

function isOfPortal(path: string): boolean {
  return path === "/portal" || path.startsWith("/portal/") || path === SECURITY_CONTACT;
}

function isOfTracking(path: string): boolean {
  return SCRIPTS.has(path) || path.startsWith(TRACKING) || path === SECURITY_CONTACT;
}

function elsewhere(message: string): DomainError {
  return new DomainError("not_found", { message: `Unknown path. ${message}` });
}
