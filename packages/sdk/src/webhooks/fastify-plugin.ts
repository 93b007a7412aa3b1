import type { WebhookHandlerOptions } from "./handler-options.ts";
import { exceedsLimit, readBounded } from "./read-body.ts";
import { receive } from "./receive.ts";

interface FastifyRequest {
  body: unknown;
  method: string;
  headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  log: { error(about: object, message: string): void };
}

interface FastifyReply {
  code(status: number): unknown;
  headers(values: Record<string, string>): unknown;
  send(text?: string): unknown;
}

/** The part of a Fastify instance that the plugin uses. */
export interface FastifyScope {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    contentType: string,
    parser: (
      request: unknown,
      stream: AsyncIterable<unknown>,
      done: (error: null, body: unknown) => void,
    ) => void,
  ): unknown;
  post(path: string, handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>): unknown;
}

export interface FastifyPluginOptions extends WebhookHandlerOptions {
  /** The path that receives deliveries, as in `/hooks`. */
  path: string;
}

/**
 * A Fastify plugin that receives deliveries: `app.register(fastifyPlugin({ path: "/hooks", … }))`. Its route
 * receives the raw body in an encapsulated scope, so other routes parse their bodies as before (do not wrap
 * it in `fastify-plugin`, which would remove the encapsulation). It responds like `fetchHandler`; errors go
 * to the request's log unless `onError` is set.
 */
export function fastifyPlugin({
  path,
  ...options
}: FastifyPluginOptions): (scope: FastifyScope) => Promise<void> {
  return async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, stream, done) => done(null, stream));
    scope.post(path, async (request, reply) => {
      const { method, headers } = request;
      const readBody = (maxBytes: number) => readStream(request, maxBytes);
      const response = await receive({ method, headers, readBody }, withLog(options, request));
      reply.code(response.status);
      reply.headers(response.headers);
      return response.text === null ? reply.send() : reply.send(response.text);
    });
  };
}

function withLog(options: WebhookHandlerOptions, { log }: FastifyRequest): WebhookHandlerOptions {
  if (options.onError !== undefined) return options;
  return {
    ...options,
    onError: (error, delivery) =>
      log.error({ err: error, event_id: delivery?.id }, "webhook delivery failed with status 500"),
  };
}

async function readStream({ body, headers }: FastifyRequest, maxBytes: number): Promise<Uint8Array | null> {
  if (!isStream(body)) return new Uint8Array();
  const { "content-length": length } = headers;
  if (typeof length === "string" && exceedsLimit(length, maxBytes)) return null;
  const chunks = body[Symbol.asyncIterator]();
  return await readBounded(() => chunks.next(), maxBytes);
}

/** A request without a body. */
function isStream(body: unknown): body is AsyncIterable<unknown> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}
