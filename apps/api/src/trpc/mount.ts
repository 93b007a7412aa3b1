import { DomainError, invalidField } from "@findersfee/domain/errors";
import type { AnyTRPCRouter } from "@trpc/server";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { annotateError } from "../error-response.ts";
import { acceptJson, type JsonBody, parseJson } from "../rest/json-body.ts";
import { singleCalls } from "./single-call.ts";

/** The maximum number of calls in a batch; a key with fewer slots can send only that many. */
export const MAX_BATCH = 50;

/**
 * The number of calls in a request to `/v1/trpc/a,b,c`. Throws `invalid_request` if there are more than
 * `most`.
 */
export function batchSize(request: FastifyRequest, most: number): number {
  const { path } = request.params as { path: string };
  const calls = path.split(",").length;
  if (calls > most) {
    throw new DomainError("invalid_request", { message: `A batch can have at most ${most} calls.` });
  }
  return calls;
}

/** A router, and the context of its procedures. */
export interface TrpcSurface {
  router: AnyTRPCRouter;
  createContext(request: FastifyRequest, reply: FastifyReply): object;
}

/** Serves a router to tRPC clients. */
export function mountTrpc(app: FastifyInstance, { router, createContext }: TrpcSurface): void {
  acceptJson(app, (body) => body);
  const findSingleCall = singleCalls(router);
  app.route({
    method: ["GET", "POST"],
    url: "/:path",
    exposeHeadRoute: false,
    handler: async (request, reply) => {
      const sent = request.method === "GET" ? readQuery(request) : (request.body as JsonBody | undefined);
      const call = findSingleCall(request);
      if (call === null) return await answerByLibrary({ request, reply, sent, router, createContext });
      varyAsLibrary(reply);
      return { result: { data: await call(createContext(request, reply), sent?.value) } };
    },
  });
}

/** A query's input is in the URL, which the check of bodies does not cover. */
function readQuery({ query, headers }: FastifyRequest): JsonBody | undefined {
  // tRPC would read it as the type of a body, which a GET does not have.
  const type = headers["content-type"];
  if (type !== undefined && !/^application\/json\s*(;|$)/i.test(type)) {
    throw new DomainError("unsupported_media_type");
  }
  const { input } = query as { input?: string | string[] };
  if (Array.isArray(input)) throw invalidField("input", "Send it once.");
  return input === undefined || input === "" ? undefined : parseJson(input);
}

/** Checks batches, streams and bodies before a procedure runs. */
async function answerByLibrary({
  request,
  reply,
  sent,
  router,
  createContext,
}: TrpcSurface & {
  request: FastifyRequest;
  reply: FastifyReply;
  sent: JsonBody | undefined;
}): Promise<FastifyReply> {
  // The library parses the text again; this only checks it.
  if (request.method === "POST") request.body = sent?.text;
  const { path } = request.params as { path: string };
  await fastifyRequestHandler({
    router,
    req: request,
    res: reply,
    path,
    // tRPC's Vary replaces the reply's, which CORS requires.
    responseMeta: () => {
      const vary = reply.getHeader("vary");
      return vary === undefined ? {} : { headers: new Headers({ vary: String(vary) }) };
    },
    createContext: () => createContext(request, reply),
    onError: ({ error, ctx }) => {
      // tRPC failed before it had a context: Fastify's error handler writes the response.
      if (ctx === undefined) throw error;
      annotateError(error, request, reply);
    },
  });
  return reply;
}

/** Clients that send other headers get a stream. */
function varyAsLibrary(reply: FastifyReply): void {
  const vary = reply.getHeader("vary");
  reply.header("vary", vary === undefined ? "trpc-accept, accept" : `trpc-accept, accept, ${vary}`);
}
