import { DomainError } from "@findersfee/domain/errors";
import type { PortalHost, PortalHosts } from "@findersfee/domain/portal/hosts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pathOf } from "../not-found.ts";
import { limitAddresses } from "./limit-addresses.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The organization that has its portal at the requested host; null: the host is the service's own. */
    portal_host: PortalHost | null;
  }
}

/** Looked up hosts per address and minute: enough for a client that uses one. */
const LIMIT_PER_MINUTE = 600;

/** Probes ask for a process, not for a host, and do not depend on the database. */
const ANYWHERE: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/** Answers at every host name of an organization, too, since it is the service that researchers report about. */
const SECURITY_CONTACT = "/.well-known/security.txt";

/**
 * Serves everything at the service's own hosts, an organization's portal at its own host name, and nothing else there: no dashboard,
 * no API. Other hosts get `misdirected_request`. `Host` alone counts, since proxies pass the `X-Forwarded-Host` of clients on. Call it
 * before other hooks are added.
 */
export function serveOwnHosts(
  app: FastifyInstance,
  { hosts, is_limited }: { hosts: PortalHosts; is_limited: boolean },
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
  app.addHook("onRequest", (request, reply, done) => {
    const { host } = request.headers;
    if (host === undefined || hosts.isOwn(host)) {
      done();
      return;
    }
    const path = pathOf(request.url);
    if (ANYWHERE.has(path)) {
      done();
      return;
    }
    const known = hosts.peek(host);
    const found = known === undefined ? lookUp(request, reply, host) : Promise.resolve(known);
    found
      .then((portal_host) => {
        if (portal_host === null) throw new DomainError("misdirected_request");
        request.portal_host = portal_host;
        if (path === "/") reply.redirect("/portal");
        else done(isOfPortal(path) ? undefined : elsewhere());
      })
      .catch((error: Error) => done(error));
  });
}

function isOfPortal(path: string): boolean {
  return path === "/portal" || path.startsWith("/portal/") || path === SECURITY_CONTACT;
}

function elsewhere(): DomainError {
  return new DomainError("not_found", {
    message: "Unknown path. This host has the affiliates' portal alone.",
  });
}
