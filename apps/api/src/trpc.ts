import { createHash } from "node:crypto";
import type { ErrorCode } from "@findersfee/contract/errors";
import type { Context, IdempotencyClaim } from "@findersfee/domain/context";
import { DomainError, invalidField } from "@findersfee/domain/errors";
import { initTRPC } from "@trpc/server";
import { TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import type { OpenApiMeta } from "trpc-openapi";
import type { RequestContext } from "./context.ts";
import { statusOf, toErrorObject } from "./errors.ts";

/** What a v1 procedure says of itself: its REST route, and the errors beyond those that every operation has. */
export type OperationMeta = OpenApiMeta<{ errors?: readonly ErrorCode[] }>;

const t = initTRPC
  .context<RequestContext>()
  .meta<OperationMeta>()
  .create({
    errorFormatter: ({ shape, error, ctx }) => {
      const object = toErrorObject(error, ctx?.request_id ?? "");
      return {
        ...shape,
        message: object.message,
        code: jsonRpcCode(statusOf(object)),
        // `httpStatus` is where tRPC itself looks for the status to answer with.
        data: { ...object, httpStatus: statusOf(object) },
      };
    },
  });

export const router = t.router;

/** JSON-RPC's numbers, which tRPC clients know, for our statuses. */
function jsonRpcCode(status: number): (typeof TRPC_ERROR_CODES_BY_KEY)[keyof typeof TRPC_ERROR_CODES_BY_KEY] {
  switch (status) {
    case 400:
      return TRPC_ERROR_CODES_BY_KEY.BAD_REQUEST;
    case 401:
      return TRPC_ERROR_CODES_BY_KEY.UNAUTHORIZED;
    case 403:
      return TRPC_ERROR_CODES_BY_KEY.FORBIDDEN;
    case 404:
      return TRPC_ERROR_CODES_BY_KEY.NOT_FOUND;
    case 405:
      return TRPC_ERROR_CODES_BY_KEY.METHOD_NOT_SUPPORTED;
    case 409:
      return TRPC_ERROR_CODES_BY_KEY.CONFLICT;
    case 413:
      return TRPC_ERROR_CODES_BY_KEY.PAYLOAD_TOO_LARGE;
    case 415:
      return TRPC_ERROR_CODES_BY_KEY.UNSUPPORTED_MEDIA_TYPE;
    case 429:
      return TRPC_ERROR_CODES_BY_KEY.TOO_MANY_REQUESTS;
    case 503:
      return TRPC_ERROR_CODES_BY_KEY.SERVICE_UNAVAILABLE;
    default:
      return TRPC_ERROR_CODES_BY_KEY.INTERNAL_SERVER_ERROR;
  }
}

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
  return result;
});

function requireScope({ principal }: RequestContext, scope: "read" | "write"): void {
  if (principal.scopes.includes(scope)) return;
  throw new DomainError("insufficient_scope", {
    message: `This operation needs an API key with the scope \`${scope}\`.`,
  });
}

function domainContext(ctx: RequestContext, idempotency: IdempotencyClaim | null): Context {
  return { database: ctx.database, organization: ctx.principal.organization, idempotency };
}

const MAXIMUM_KEY_LENGTH = 255;

function claimOf(key: string | null, path: string, input: unknown): IdempotencyClaim {
  // Node gives header values as Latin-1, so whatever is in them can be stored.
  if (key === null || key.length === 0 || key.length > MAXIMUM_KEY_LENGTH) {
    throw invalidField("Idempotency-Key", `Must be 1 to ${MAXIMUM_KEY_LENGTH} characters.`);
  }
  const request_hash = createHash("sha256")
    .update(path)
    .update("\n")
    .update(JSON.stringify(input) ?? "")
    .digest();
  return { key, request_hash, replayed: false };
}
