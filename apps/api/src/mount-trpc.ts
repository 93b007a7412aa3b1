import { DomainError, invalidField } from "@findersfee/domain/errors";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { noteError } from "./answer-error.ts";
import { requestContext, type Services } from "./context.ts";
import { acceptJson, parseJson } from "./json-body.ts";
import type { AppRouter } from "./router.ts";

const MAXIMUM_BATCH = 50;

/** How many calls a request to `/trpc/a,b,c` makes. */
export function batchSize(request: FastifyRequest): number {
  const { path } = request.params as { path: string };
  const calls = path.split(",").length;
  if (calls > MAXIMUM_BATCH) {
    throw new DomainError("invalid_request", { message: `A batch has at most ${MAXIMUM_BATCH} calls.` });
  }
  return calls;
}

/** Serves the router to tRPC clients. */
export function mountTrpc(
  app: FastifyInstance,
  { router, services }: { router: AppRouter; services: Services },
): void {
  // tRPC parses the text again; here it is only checked.
  acceptJson(app, ({ text }) => text);
  app.route({
    method: ["GET", "POST"],
    url: "/:path",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      if (request.method === "GET") checkQuery(request);
      const { path } = request.params as { path: string };
      await fastifyRequestHandler({
        router,
        req: request,
        res: reply,
        path,
        // tRPC's Vary replaces the reply's, on which CORS stands.
        responseMeta: () => {
          const vary = reply.getHeader("vary");
          return vary === undefined ? {} : { headers: new Headers({ vary: String(vary) }) };
        },
        createContext: () => requestContext(request, reply, services),
        onError: ({ error, ctx }) => {
          // tRPC gave up before it had a context: the answer is Fastify's error handler's to make.
          if (ctx === undefined) throw error;
          noteError(error, request, reply);
        },
      });
    },
  });
}

/** A query's input stands in the URL, where the check of bodies does not look. */
function checkQuery({ query, headers }: FastifyRequest): void {
  // tRPC would take the type for that of a body, which a GET has not.
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new DomainError("unsupported_media_type");
  }
  const { input } = query as { input?: string | string[] };
  if (Array.isArray(input)) throw invalidField("input", "Send it once.");
  if (input !== undefined && input !== "") parseJson(input);
}
