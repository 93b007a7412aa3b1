import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { statusOf, toErrorObject, toTrpcShape } from "./errors.ts";
import { noteEarlyAnswer } from "./protocol.ts";
import { isTrpcUrl } from "./trpc-paths.ts";

const RETRY_AFTER_SECONDS = 2;
/** How to authenticate (RFC 6750, 3). */
const CHALLENGE = 'Bearer realm="Findersfee"';

/** The error body of the surface that was asked, for whatever was thrown anywhere on a request's way. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  noteError(error, request, reply);
  // Fastify closes after every body that it did not take, and a close while bytes still come in is a reset
  // that can overtake the answer. Node throws away what is left of the body, until the request's time is up.
  reply.removeHeader("connection");
  if (!request.raw.complete) noteEarlyAnswer(request.raw);
  const object = toErrorObject(error, request.id);
  const body = isTrpcUrl(request.url) ? { error: toTrpcShape(object) } : { success: false, error: object };
  return reply.status(statusOf(object)).send(body);
}

/** What failed answers need beside their bodies: headers that say how to go on, and a line in the log. */
export function noteError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const { code } = toErrorObject(error, request.id);
  if (code === "unauthorized") reply.header("www-authenticate", CHALLENGE);
  if (error instanceof DomainError && error.retry_after_seconds !== undefined) {
    reply.header("retry-after", error.retry_after_seconds);
  }
  if (code !== "internal_error" && code !== "unavailable") return;
  if (code === "unavailable") reply.header("retry-after", RETRY_AFTER_SECONDS);
  // A client that left in the middle of its request is no failure of the service.
  if (request.raw.destroyed && !request.raw.complete) return;
  const facts = { request_id: request.id, organization_id: request.principal?.organization.id, code };
  if (code === "internal_error") request.log.error({ ...facts, err: error }, "request failed");
  else request.log.warn({ ...facts, reason: String(error) }, "unavailable");
}
