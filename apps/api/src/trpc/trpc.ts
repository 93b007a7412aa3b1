import type { ErrorCode, Issue } from "@findersfee/contract/errors";
import type { Database } from "@findersfee/database/postgres/connect";
import type { CreationContext } from "@findersfee/domain/commissions/create";
import type { Context, IdempotencyClaim } from "@findersfee/domain/context";
import { DomainError, invalidField } from "@findersfee/domain/errors";
import { claimKey } from "@findersfee/domain/idempotency";
import type { Right } from "@findersfee/domain/identity/rights/right";
import { actorOf } from "@findersfee/domain/principal";
import { initTRPC, type TRPCError } from "@trpc/server";
import type { OpenApiMeta } from "trpc-openapi";
import type { RequestContext } from "../context.ts";
import { formatError } from "../errors.ts";
import { routeReads } from "../replicas/route-reads.ts";
import { requireRight } from "../rights.ts";

/** The metadata of a v1 procedure: its REST route, and its errors in addition to the common ones. */
export type OperationMeta = OpenApiMeta<{ errors?: readonly ErrorCode[]; all_issues?: IssueFinder }>;

/**
 * Finds all issues of an input that its schema rejected, and the fields without issues. Null if the schema
 * reported them all.
 */
export type IssueFinder = (
  context: Context,
  refused: { sent: unknown; error: TRPCError },
) => Promise<{ issues: Issue[]; others: object } | null>;

const t = initTRPC.context<RequestContext>().meta<OperationMeta>().create({ errorFormatter: formatError });

export const router = t.router;
export const mergeRouters = t.mergeRouters;
export const middleware = t.middleware;

const READ: Right = { scope: "read", role: "viewer" };
const WRITE: Right = { scope: "write", role: "admin" };
const ADMIN: Right = { scope: "admin", role: "admin" };

/** Reads: a key needs the scope `read`; a person may have any role. */
export const readProcedure = routedProcedure(READ);

/**
 * Changes: a key needs the scope `write`, a person the role admin. A POST may carry an Idempotency-Key.
 */
export const writeProcedure = changeProcedure(WRITE);

/** The same for API keys alone. `instead` names the alternative for people. */
export function keyProcedure(instead: string) {
  return changeProcedure({ scope: "write", role: null, instead });
}

function changeProcedure(right: Right) {
  // Changes are on the primary, without a route.
  return t.procedure.use(async ({ ctx, meta, path, getRawInput, next }) => {
    requireRight(ctx.principal, right);
    const repeatable = ctx.idempotency_key !== null && meta?.openapi?.method === "POST";
    const claim = repeatable ? claimOf(ctx.idempotency_key, path, await getRawInput()) : null;
    const result = await next({ ctx: { domain: domainContext(ctx, right, { claim }) } });
    if (claim?.replayed) ctx.markReplayed();
    if (!result.ok && meta?.all_issues !== undefined) {
      const refused = { sent: await getRawInput(), error: result.error };
      const found = await meta.all_issues(domainContext(ctx, right), refused);
      if (found !== null) throw new DomainError("invalid_request", { issues: found.issues });
    }
    return result;
  });
}

/** The dashboard's reads without secrets. */
export const viewProcedure = routedProcedure({ scope: "view", role: "viewer" });

/** The dashboard's changes, and reads of secrets. */
export const adminProcedure = routedProcedure(ADMIN);

/** The dashboard's changes of one transaction that may carry an Idempotency-Key, such as steps of a long change. */
export const repeatableProcedure = t.procedure.use(async ({ ctx, path, getRawInput, next }) => {
  requireRight(ctx.principal, ADMIN);
  const { idempotency_key } = ctx;
  const claim = idempotency_key === null ? null : claimOf(idempotency_key, path, await getRawInput());
  const result = await next({ ctx: { domain: domainContext(ctx, ADMIN, { claim }) } });
  if (claim?.replayed) ctx.markReplayed();
  return result;
});

/**
 * For data that a person keeps for themselves, with any role. API keys cannot call it: with a key, the data
 * would belong to nobody.
 */
export const memberProcedure = routedProcedure({ scope: null, role: "viewer" });

/** Changes of the people of an organization. API keys cannot call them: nobody gets rights from a program. */
export const peopleProcedure = routedProcedure({ scope: null, role: "admin" });

/** The dashboard's changes that cannot be undone, and changes for owners. API keys cannot call them. */
export const ownerProcedure = routedProcedure({ scope: null, role: "owner" });

/** A procedure that needs a right. It is one middleware, because the library copies the context for each. */
function routedProcedure(right: Right) {
  return t.procedure.use(({ ctx, next, ...call }) => {
    requireRight(ctx.principal, right);
    return routeReads({ ctx, ...call }, (database) =>
      next({ ctx: { database, domain: domainContext(ctx, right, { database }) } }),
    );
  });
}

/** The context of domain operations, with or without an Idempotency-Key. Without a right, it is for reads alone. */
export function domainContext(
  ctx: RequestContext,
  right: Right | undefined,
  { database = ctx.database, claim = null }: { database?: Database; claim?: IdempotencyClaim | null } = {},
): CreationContext {
  const { principal, quotas, commission_writer, endpoint_policy, notifyWorkers } = ctx;
  return {
    database,
    organization: principal.organization,
    actor: actorOf(principal),
    right,
    idempotency: claim,
    quotas,
    secrets_key: endpoint_policy.secrets_key,
    commission_writer,
    notifyWorkers,
  };
}

const MAX_KEY_LENGTH = 255;

function claimOf(key: string | null, path: string, input: unknown): IdempotencyClaim {
  // Node decodes header values as Latin-1, so any value can be stored.
  if (key === null || key.length === 0 || key.length > MAX_KEY_LENGTH) {
    throw invalidField("Idempotency-Key", `Must be 1 to ${MAX_KEY_LENGTH} characters.`);
  }
  return claimKey(key, { path, input });
}
