import type { Database } from "@findersfee/database/connect";
import type { Principal } from "@findersfee/domain/api-keys/authenticate";
import type { EndpointPolicy } from "@findersfee/domain/endpoints/policy";
import type { Quotas } from "@findersfee/domain/quotas";
import type { FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Who sent the request; null until `authorize` has found out. */
    principal: Principal | null;
  }
}

/** What the whole process shares. */
export interface Services {
  database: Database;
  /** Under which webhook endpoints are made. */
  endpoint_policy: EndpointPolicy;
  quotas: Quotas;
  /** Tells the workers that there may be something to deliver. */
  wake: (organization_id: string) => void;
}

/** What every procedure gets, whichever surface the call came in by. */
export interface RequestContext extends Services {
  principal: Principal;
  request_id: string;
  /** The header Idempotency-Key as it came. */
  idempotency_key: string | null;
  /** Tells the caller that the answer is a stored one. */
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
