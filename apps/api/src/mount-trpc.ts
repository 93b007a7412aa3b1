import { DomainError, invalidField } from "@findersfee/domain/errors";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { noteError } from "./answer-error.ts";
import { requestContext, type Services } from "./context.ts";
import { acceptJson, type JsonBody, parseJson } from "./json-body.ts";
import type { AppRouter } from "./router.ts";
import { singleCalls } from "./trpc-single-call.ts";
import type { V1Router } from "./v1/router.ts";

/** Calls of a batch; a key with fewer slots can send only that many. */
export const MAXIMUM_BATCH = 50;

/** How many calls a request to `/v1/trpc/a,b,c` makes. Throws `invalid_request` if there are more than `most`. */
export function batchSize(request: FastifyRequest, most: number): number {
  const { path } = request.params as { path: string };
  const calls = path.split(",").length;
  if (calls > most) {
    throw new DomainError("invalid_request", { message: `A batch has at most ${most} calls.` });
  }
  return calls;
}

/** Serves a router to tRPC clients: that of the API or that of the dashboard. */
export function mountTrpc(
  app: FastifyInstance,
  { router, services }: { router: AppRouter | V1Router; services: Services },
): void {
  acceptJson(app, (body) => body);
  const findSingleCall = singleCalls(router);
  app.route({
    method: ["GET", "POST"],
    url: "/:path",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const sent = request.method === "GET" ? readQuery(request) : (request.body as JsonBody | undefined);
      const call = findSingleCall(request);
      if (call === null) return await answerByLibrary({ request, reply, sent, router, services });
      varyAsLibrary(reply);
      return { result: { data: await call(requestContext(request, reply, services), sent?.value) } };
    },
  });
}

/** A query's input stands in the URL, where the check of bodies does not look. */
function readQuery({ query, headers }: FastifyRequest): JsonBody | undefined {
  // tRPC would take the type for that of a body, which a GET has not.
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new DomainError("unsupported_media_type");
  }
  const { input } = query as { input?: string | string[] };
  if (Array.isArray(input)) throw invalidField("input", "Send it once.");
  return input === undefined || input === "" ? undefined : parseJson(input);
}

/** Batches, streams, and what is wrong with a request before a procedure has it. */
async function answerByLibrary({
  request,
  reply,
  sent,
  router,
  services,
}: {
  request: FastifyRequest;
  reply: FastifyReply;
  sent: JsonBody | undefined;
  router: AppRouter | V1Router;
  services: Services;
}): Promise<FastifyReply> {
  // The library reads the text again; it was only checked.
  if (request.method === "POST") request.body = sent?.text;
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
  return reply;
}

/** Who asks with other headers gets a stream. */
function varyAsLibrary(reply: FastifyReply): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "trpc-accept, accept" : `trpc-accept, accept, ${vary}`);
}
