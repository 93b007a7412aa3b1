import { type ProcessorName, processorNames } from "@findersfee/contract/processors";
import { DomainError } from "@findersfee/domain/errors";
import type { Intake } from "@findersfee/domain/processors/intake/receive";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { answerError } from "../answer-error.ts";

/** Stripe's events can be larger than what our API takes. */
export const MESSAGE_BYTES = 1024 * 1024;
/** Each may hold a whole body in memory, and nobody has shown a key yet. The processors send again. */
export const MESSAGES_IN_FLIGHT = 200;

type MessageRequest = FastifyRequest<{ Params: { organization_id: string } }>;

/**
 * `POST /processors/<name>/{organization_id}`, where payment processors send their messages to. Answered when
 * the message is stored; what comes of it is the workers' matter.
 */
export function mountProcessors(app: FastifyInstance, intake: Intake): void {
  app.setErrorHandler((error, request, reply) => answerError(explain(error), request, reply));
  // Signatures are over the bytes, whatever they say of themselves.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  for (const name of processorNames) mountProcessor(app, { name, intake });
}

function mountProcessor(
  app: FastifyInstance,
  { name, intake }: { name: ProcessorName; intake: Intake },
): void {
  app.post<{ Params: { organization_id: string } }>(
    `/${name}/:organization_id`,
    {
      bodyLimit: MESSAGE_BYTES,
      // Before the body is read: nobody waits for what no organization takes.
      onRequest: async (request: MessageRequest) => {
        await intake.requireConnection(name, request.params.organization_id);
      },
    },
    async (request) => {
      const id = await intake.receive(name, request.params.organization_id, {
        header: (header) => headerOf(request, header),
        body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
      });
      return { success: true, data: { id } };
    },
  );
}

function headerOf({ headers }: FastifyRequest, name: string): string {
  const value = headers[name];
  return typeof value === "string" ? value : "";
}

function explain(error: unknown): unknown {
  const is_too_large = error instanceof Error && "statusCode" in error && error.statusCode === 413;
  if (!is_too_large) return error;
  return new DomainError("payload_too_large", { message: "The body is larger than 1 MiB." });
}
