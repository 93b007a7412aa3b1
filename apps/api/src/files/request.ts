import type { Context } from "@findersfee/domain/context";
import { DomainError, invalidField } from "@findersfee/domain/errors";
import type { Right } from "@findersfee/domain/identity/rights/right";
import { actorOf, type Principal } from "@findersfee/domain/principal";
import type { FastifyRequest } from "fastify";
import type { z } from "zod";
import type { Services } from "../context.ts";
import { issuesOf } from "../issues.ts";

/** The query and the parameters of the path. Errors: `invalid_request`. */
export function readQuery<Schema extends z.ZodType>(
  schema: Schema,
  { query, params }: FastifyRequest,
): z.output<Schema> {
  // The path identifies the run; a second id in the query would have to be ignored.
  if (Object.hasOwn(query as object, "id")) throw invalidField("id", "Unknown query parameter.");
  const result = schema.safeParse({ ...(query as object), ...(params as object) });
  if (result.success) return result.data;
  throw new DomainError("invalid_request", { issues: issuesOf(result.error) });
}

export function contextOf(
  request: FastifyRequest,
  { database, notifyWorkers }: Services,
  right: Right,
): Context {
  const principal = principalOf(request);
  const { organization } = principal;
  return { database, organization, actor: actorOf(principal), right, idempotency: null, notifyWorkers };
}

export function principalOf({ principal, url }: FastifyRequest): Principal {
  if (principal === null) throw new Error(`route ${url} is not behind authorize`);
  return principal;
}
