import { type ProcessorName, processorNames } from "@findersfee/contract/processors/processors";
import { DomainError } from "@findersfee/domain/errors";
import type { Intake } from "@findersfee/domain/processors/intake/receive";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Admission } from "../admission/admission.ts";
import type { RequestSlots } from "../admission/request-slots.ts";
import { sendError } from "../error-response.ts";
import type { Limits } from "../limits.ts";

/** Stripe's events can be larger than the API's own body limit. */
const MESSAGE_BYTES = 1024 * 1024;
/** The maximum number of messages that are verified and stored at once. Each holds a whole body in memory. */
const MESSAGES_IN_FLIGHT = 400;

type MessageRequest = FastifyRequest<{ Params: { organization_id: string } }>;

interface IntakeParts {
  intake: Intake;
  admission: Admission;
  limits: Limits;
}

/**
 * `POST /processors/<name>/{organization_id}` receives inbound webhooks of payment processors. It responds
 * once the message is stored; workers process it later.
 */
export function mountProcessors(app: FastifyInstance, { intake, admission, limits }: IntakeParts): void {
  const total = Math.min(limits.in_flight, MESSAGES_IN_FLIGHT);
  // Stripe sends the events of all organizations from a few addresses, so one address may hold many slots.
  const message_limits = { total, organization: total / 2, address: total / 2 };
  const slots = admission.createSlots(message_limits);
  const lookups = admission.createSlots(message_limits);
  app.register(
    async (scope) => {
      scope.setErrorHandler((error, request, reply) => sendError(explain(error), request, reply));
      // Signatures cover the bytes, so the content type does not matter.
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
      admission.createBodyBound().watch(scope);
      for (const name of processorNames) mountProcessor(scope, { name, intake, slots, lookups });
    },
    { prefix: "/processors" },
  );
}

function mountProcessor(
  scope: FastifyInstance,
  {
    name,
    intake,
    slots,
    lookups,
  }: { name: ProcessorName; intake: Intake; slots: RequestSlots; lookups: RequestSlots },
): void {
  scope.post<{ Params: { organization_id: string } }>(
    `/${name}/:organization_id`,
    {
      bodyLimit: MESSAGE_BYTES,
      // Before the body is read: no need to wait for a body if the organization has no such processor.
      onRequest: async (request: MessageRequest, reply) => {
        lookups.take(reply);
        lookups.holdAddress(request, reply);
        await intake.requireConnection(name, request.params.organization_id);
        lookups.release(reply.raw);
      },
      // The body is complete: only now does it take a slot.
      preHandler: (request: MessageRequest, reply, done) => {
        slots.take(reply);
        slots.hold(reply, "organization", request.params.organization_id.toLowerCase());
        slots.holdAddress(request, reply);
        done();
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
