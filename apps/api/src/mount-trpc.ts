import type { Database } from "@findersfee/database/connect";
import { DomainError } from "@findersfee/domain/errors";
import { fastifyRequestHandler } from "@trpc/server/adapters/fastify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { requestContext } from "./context.ts";
import { statusOf, toErrorObject } from "./errors.ts";
import { acceptJson } from "./json-body.ts";
import type { V1 } from "./v1/router.ts";

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
  {
    router,
    database,
    onError,
  }: { router: V1; database: Database; onError: (error: unknown, request: FastifyRequest) => void },
): void {
  // tRPC parses the text again; here it is only checked.
  acceptJson(app, ({ text }) => text);
  app.setErrorHandler((error, request, reply) => {
    onError(error, request);
    const object = toErrorObject(error, request.id);
    const status = statusOf(object);
    return reply.status(status).send({
      error: {
        message: object.message,
        code: -32_000 - (status % 100),
        data: { ...object, httpStatus: status },
      },
    });
  });
  app.all("/:path", async (request, reply) => {
    const { path } = request.params as { path: string };
    await fastifyRequestHandler({
      router,
      req: request,
      res: reply,
      path,
      createContext: () => requestContext(request, reply, database),
      onError: ({ error }) => onError(error, request),
    });
  });
}
