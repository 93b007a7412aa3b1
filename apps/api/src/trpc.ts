import { hash } from "node:crypto";
import type { ErrorCode, Issue } from "@findersfee/contract/errors";
import type { Context, IdempotencyClaim } from "@findersfee/domain/context";
import { DomainError, invalidField } from "@findersfee/domain/errors";
import { initTRPC, type TRPCError } from "@trpc/server";
import type { OpenApiMeta } from "trpc-openapi";
import type { RequestContext } from "./context.ts";
import { toErrorObject, toTrpcShape } from "./errors.ts";
import { requireStaff } from "./require-staff.ts";

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

const t = initTRPC
  .context<RequestContext>()
  .meta<OperationMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const object = toErrorObject(error, ctx?.request_id ?? "");
      return { ...shape, ...toTrpcShape(object) };
    },
  });

export const router = t.router;
export const mergeRouters = t.mergeRouters;
export const middleware = t.middleware;

/** Reads: the key needs the scope `read`. */
export const readProcedure = t.procedure.use(({ ctx, next }) => {
  requireScope(ctx, "read");
  return next({ ctx: { domain: domainContext(ctx, null) } });
});

/** Changes: the key needs the scope `write`; a POST may carry an Idempotency-Key. */
export const writeProcedure = t.procedure.use(async ({ ctx, meta, path, getRawInput, next }) => {
  requireScope(ctx, "write");
  const repeatable = ctx.idempotency_key !== null && meta?.openapi?.method === "POST";
  const claim = repeatable ? claimOf(ctx.idempotency_key, path, await getRawInput()) : null;
  const result = await next({ ctx: { domain: domainContext(ctx, claim) } });
  if (claim?.replayed) ctx.markReplayed();
  if (!result.ok && meta?.all_issues !== undefined) {
    const refused = { sent: await getRawInput(), error: result.error };
    const found = await meta.all_issues(domainContext(ctx, null), refused);
    if (found !== null) throw new DomainError("invalid_request", { issues: found.issues });
  }
  return result;
});

/** The dashboard's operations for the organization's staff; API keys cannot call them. */
export const staffProcedure = t.procedure.use(({ ctx, next }) => {
  requireStaff(ctx.principal);
  return next({ ctx: { domain: domainContext(ctx, null) } });
});

function requireScope({ principal }: RequestContext, scope: "read" | "write"): void {
  if (principal.scopes.includes(scope) || principal.scopes.includes("staff")) return;
  throw new DomainError("insufficient_scope", {
    message: `This operation needs an API key with the scope \`${scope}\`.`,
  });
}

/** The context of domain operations, with or without an Idempotency-Key. */
export function domainContext(ctx: RequestContext, idempotency: IdempotencyClaim | null): Context {
  const { database, principal, quotas, commission_writer, notifyWorkers } = ctx;
  const { organization, key_id } = principal;
  return {
    database,
    organization,
    actor: `key ${key_id}`,
    idempotency,
    quotas,
    commission_writer,
    notifyWorkers,
  };
}

const MAXIMUM_KEY_LENGTH = 255;

function claimOf(key: string | null, path: string, input: unknown): IdempotencyClaim {
  // Node decodes header values as Latin-1, so any value can be stored.
  if (key === null || key.length === 0 || key.length > MAXIMUM_KEY_LENGTH) {
    throw invalidField("Idempotency-Key", `Must be 1 to ${MAXIMUM_KEY_LENGTH} characters.`);
  }
  const request_hash = hash("sha256", `${path}\n${JSON.stringify(input)}`, "buffer");
  return { key, request_hash, replayed: false };
}
