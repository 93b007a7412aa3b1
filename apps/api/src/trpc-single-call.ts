import type { FastifyRequest } from "fastify";
import type { RequestContext } from "./context.ts";
import type { AppRouter } from "./router.ts";
import type { V1Router } from "./v1/router.ts";

/** Calls the procedure that a request names. Throws what the procedure throws. */
export type SingleCall = (ctx: RequestContext, input: unknown) => Promise<unknown>;

/** What tRPC calls a procedure with, below its types for callers. */
type Procedure = ((call: object) => Promise<unknown>) & { _def: { type: string } };

const METHODS: Partial<Record<string, string>> = { query: "GET", mutation: "POST" };

/**
 * Tells which requests make one call of a procedure that there is, by its method, to be answered in one
 * piece: nearly all. tRPC's adapter makes a `Request`, a `Response` and five abort signals of each, which
 * cost more than the call; it gets the others.
 */
export function singleCalls(router: AppRouter | V1Router): (request: FastifyRequest) => SingleCall | null {
  // tRPC keeps the procedures by their full paths, whatever its types say of routers in routers.
  const procedures = new Map(Object.entries(router._def.procedures as unknown as Record<string, Procedure>));
  return (request) => {
    const { path } = request.params as { path: string };
    const procedure = procedures.get(path);
    if (procedure === undefined || METHODS[procedure._def.type] !== request.method) return null;
    if (!isPlain(request)) return null;
    return (ctx, input) =>
      procedure({
        ctx,
        getRawInput: async () => input,
        path,
        type: procedure._def.type,
        signal: undefined,
        batchIndex: 0,
      });
  };
}

/** Neither a batch nor to be streamed, with a body if it may have one, and nothing that only tRPC knows. */
function isPlain({ method, body, query, headers }: FastifyRequest): boolean {
  if (method === "POST" && body === undefined) return false;
  for (const name in query as object) if (name !== "input") return false;
  return headers["trpc-accept"] === undefined && !headers.accept?.includes("jsonl");
}
