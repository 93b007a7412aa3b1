import type { AnyTRPCRouter } from "@trpc/server";
import type { FastifyRequest } from "fastify";

/** Calls the procedure of a request. Throws the procedure's error. */
export type SingleCall = (ctx: object, input: unknown) => Promise<unknown>;

/** The arguments that tRPC passes to a procedure, below its types for callers. */
type Procedure = ((call: object) => Promise<unknown>) & { _def: { type: string } };

const METHODS: Partial<Record<string, string>> = { query: "GET", mutation: "POST" };

/**
 * Recognizes requests with a single call of an existing procedure that need no streaming: nearly all. tRPC's
 * adapter creates a `Request`, a `Response` and five abort signals for each, which cost more than the call;
 * it handles only the rest.
 */
export function singleCalls(router: AnyTRPCRouter): (request: FastifyRequest) => SingleCall | null {
  // At run time tRPC stores the procedures by their full paths, although its types nest routers.
  const procedures = new Map(Object.entries(router._def.procedures as Record<string, Procedure>));
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

/** Neither a batch nor streamed, with a body only if allowed, and without features that only tRPC handles. */
function isPlain({ method, body, query, headers }: FastifyRequest): boolean {
  if (method === "POST" && body === undefined) return false;
  for (const name in query as object) if (name !== "input") return false;
  return headers["trpc-accept"] === undefined && !headers.accept?.includes("jsonl");
}
