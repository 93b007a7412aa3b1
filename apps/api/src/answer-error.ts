import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { statusOf, toErrorObject } from "./errors.ts";

const RETRY_AFTER_SECONDS = 2;

/** REST's error body, for whatever was thrown anywhere on a request's way. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  logError(error, request);
  const object = toErrorObject(error, request.id);
  if (object.code === "unavailable") reply.header("retry-after", RETRY_AFTER_SECONDS);
  return reply.status(statusOf(object)).send({ success: false, error: object });
}

/** Logs what an operator must look at: the cause of each answer that blames the service. */
export function logError(error: unknown, request: FastifyRequest): void {
  const { code } = toErrorObject(error, request.id);
  const facts = { organization_id: request.principal?.organization.id, code };
  if (code === "internal_error") request.log.error({ ...facts, err: error }, "request failed");
  if (code === "unavailable") {
    request.log.warn(
      { ...facts, reason: error instanceof Error ? error.message : String(error) },
      "unavailable",
    );
  }
}

/** What Node's parser refused never became a request; it gets the same body, and the connection is closed. */
export function answerClientError(error: FastifyError | Error, socket: Socket): void {
  if (!socket.writable || ("code" in error && error.code === "ECONNRESET")) {
    socket.destroy();
    return;
  }
  const object = {
    code: "invalid_request",
    message: `The request is not valid HTTP: ${clientErrorReason(error)}`,
    request_id: "none",
  };
  const body = JSON.stringify({ success: false, error: object });
  socket.end(
    `HTTP/1.1 400 ${STATUS_CODES[400]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

function clientErrorReason(error: Error): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "HPE_HEADER_OVERFLOW") return "its headers are too large.";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "it did not arrive in time.";
  return "its parser refused it.";
}
