import type { Database } from "@findersfee/database/connect";
import type { UserSession } from "@findersfee/domain/accounts/authenticate";
import type { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import type { EndpointPolicy } from "@findersfee/domain/endpoints/policy";
import type { Principal } from "@findersfee/domain/principal";
import type { Quotas } from "@findersfee/domain/quotas";
import type { FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The principal of the request; null until `authorize` has identified it. */
    principal: Principal | null;
    /** The session of a request that concerns no organization; null until `authorize` has identified it. */
    user_session: UserSession | null;
  }
}

/** Shared by the whole process. */
export interface Services {
  database: Database;
  /** The rules for the URLs of new webhook endpoints. */
  endpoint_policy: EndpointPolicy;
  quotas: Quotas;
  commission_writer: CommissionBatchWriter;
  /** Notifies the workers that deliveries may be due. */
  notifyWorkers: (organization_id: string) => void;
}

/** The context of every procedure, independent of the surface. */
export interface RequestContext extends Services {
  principal: Principal;
  request_id: string;
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
    request_id: request.id,
    idempotency_key: typeof idempotency_key === "string" ? idempotency_key : null,
    markReplayed: () => reply.header("idempotency-replayed", "true"),
  };
}

/** The context of a person's procedures that concern no organization. */
export interface AccountContext extends Pick<Services, "database"> {
  session: UserSession;
  request_id: string;
}

export function accountContext(
  { user_session: session, id: request_id, url }: FastifyRequest,
  { database }: Services,
): AccountContext {
  if (session === null) throw new Error(`route ${url} is not behind authorize`);
  return { database, session, request_id };
}
