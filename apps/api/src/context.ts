import type { Database } from "@findersfee/database/postgres/connect";
import type { Interest } from "@findersfee/database/postgres/interest";
import type { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import type { LookAtHostRecord } from "@findersfee/domain/host-record";
import type { UserSession } from "@findersfee/domain/identity/accounts/authenticate";
import type { Browser, WaitingBrowser } from "@findersfee/domain/identity/accounts/browser";
import type { ProviderCalls } from "@findersfee/domain/identity/single-sign-on/provider";
import type { LocalMailbox } from "@findersfee/domain/mails/local-mailbox";
import type { AskHost } from "@findersfee/domain/portal/ask-host";
import type { PortalSession } from "@findersfee/domain/portal/authenticate";
import type { Principal } from "@findersfee/domain/principal";
import type { Intake } from "@findersfee/domain/processors/intake/receive";
import type { Quotas } from "@findersfee/domain/quotas";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { Tracking } from "@findersfee/domain/tracking/tracking";
import type { EndpointPolicy } from "@findersfee/domain/webhooks/endpoints/policy";
import type { FastifyReply, FastifyRequest } from "fastify";
import { deviceOf } from "./admission/browser.ts";
import { interestOf } from "./admission/interest-of.ts";
import { dashboardUrl } from "./dashboard-url.ts";
import type { ReadRoute, ReadRoutes, RoutedContext } from "./replicas/route-reads.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The principal of the request; null until `authorize` has identified it. */
    principal: Principal | null;
    /** The session of a request that concerns no organization; null until `authorize` has identified it. */
    user_session: UserSession | null;
    /** The session of a request of the portal; null until `authorize` has identified it. */
    portal_session: PortalSession | null;
  }
}

/** Shared by the whole process. */
export interface Services {
  /** The primary. */
  database: Database;
  /** The standbys that answer reads of people; null: there are none. */
  read_routes: ReadRoutes | null;
  /** The rules for the URLs of new webhook endpoints. */
  endpoint_policy: EndpointPolicy;
  /** The address that clients use; null: the one that they ask for. */
  public_url: string | null;
  /** For single sign-on. */
  provider_calls: ProviderCalls;
  /** Host names of the service, apart from the public address's. */
  service_hosts: readonly string[];
  lookAtHostRecord: LookAtHostRecord;
  /** Asks whether the service answers at a host name of links. */
  askHost: AskHost;
  /** The mails that the service shows instead of sending them; null: it does not show any. */
  mailbox: LocalMailbox | null;
  quotas: Quotas;
  commission_writer: CommissionBatchWriter;
  /** The dependencies of real clicks and inbound webhooks. */
  tracking: Tracking;
  intake: Intake;
  /** Notifies the workers that deliveries may be due. */
  notifyWorkers: (organization_id: string) => void;
}

/** The context of every procedure, independent of the surface. */
export interface RequestContext extends Services {
  principal: Principal;
  /** Where queries may read; null: on the primary. */
  read_route: ReadRoute | null;
  /** Who waits for its statements; null: they run to their end. */
  interest: Interest | null;
  /** The address of the page that sent the request. */
  dashboard_url: string;
  request_id: string;
  /** The browser that sent the request, for security events. */
  readBrowser: () => Browser;
  /** The Idempotency-Key header, unparsed. */
  idempotency_key: string | null;
  /** Marks the response as replayed. */
  markReplayed: () => void;
}

export function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): RequestContext {
  if (request.principal === null) throw new Error(`route ${request.url} is not behind authorize`);
  const idempotency_key = request.headers["idempotency-key"];
  return {
    ...services,
    principal: request.principal,
    read_route: services.read_routes?.routeOf(request) ?? null,
    interest: interestOf(request, reply),
    dashboard_url: dashboardUrl(request, services.public_url),
    request_id: request.id,
    readBrowser: () => deviceOf(request, services.public_url),
    idempotency_key: typeof idempotency_key === "string" ? idempotency_key : null,
    markReplayed: () => reply.header("idempotency-replayed", "true"),
  };
}

/** Where the reads of a request may go that are no procedures. */
export function routedContext(request: FastifyRequest, { database, read_routes }: Services): RoutedContext {
  return { database, read_route: read_routes?.routeOf(request) ?? null };
}

/** The context of a person's procedures that concern no organization. */
export interface AccountContext extends Pick<Services, "database"> {
  secrets_key: SecretsKey;
  /** The address of the page that sent the request. */
  dashboard_url: string;
  session: UserSession;
  /** The person's browser, which waits for the hash of the password. */
  browser: WaitingBrowser;
  request_id: string;
}

export function accountContext(
  request: FastifyRequest,
  reply: FastifyReply,
  { database: shared, endpoint_policy, public_url }: Services,
): AccountContext {
  const { user_session: session, id: request_id, url } = request;
  if (session === null) throw new Error(`route ${url} is not behind authorize`);
  const { secrets_key } = endpoint_policy;
  const { socket } = request.raw;
  const waiting = { share: `user ${session.user_id}`, isWaiting: () => !socket.destroyed };
  const browser = { ...deviceOf(request, public_url), ...waiting };
  const dashboard_url = dashboardUrl(request, public_url);
  const database = interestOf(request, reply)?.over(shared) ?? shared;
  return { database, secrets_key, dashboard_url, session, browser, request_id };
}

/** The context of an affiliate's procedures. */
export interface PortalContext extends Pick<Services, "database" | "notifyWorkers"> {
  secrets_key: SecretsKey;
  session: PortalSession;
  /** Where queries may read; null: on the primary. */
  read_route: ReadRoute | null;
  /** Who waits for its statements; null: they run to their end. */
  interest: Interest | null;
  /** The affiliate that the request names; empty: none. */
  affiliate_id: string;
  request_id: string;
}

/** The header with the id of the affiliate that a session works for. */
const AFFILIATE_HEADER = "findersfee-affiliate";

export function portalContext(
  request: FastifyRequest,
  reply: FastifyReply,
  { database, read_routes, endpoint_policy, notifyWorkers }: Services,
): PortalContext {
  const { portal_session: session, id: request_id, url, headers } = request;
  if (session === null) throw new Error(`route ${url} is not behind authorize`);
  const { secrets_key } = endpoint_policy;
  const affiliate_id = String(headers[AFFILIATE_HEADER] ?? "");
  const read_route = read_routes?.routeOf(request) ?? null;
  const interest = interestOf(request, reply);
  return { database, read_route, interest, notifyWorkers, secrets_key, session, affiliate_id, request_id };
}
