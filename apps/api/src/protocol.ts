import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyHttpOptions, FastifyInstance } from "fastify";
import { statusOf, toErrorObject } from "./errors.ts";
import type { Limits } from "./limits.ts";

/** Connections with a response sent before the request's body was complete. */
const answered_early = new WeakSet<Socket>();

/** Node's own limits. Its built-in responses are replaced by the common error body below. */
export function protocolOptions(limits: Limits): FastifyHttpOptions<Server> {
  return {
    http: {
      headersTimeout: limits.headers_milliseconds,
      requestTimeout: limits.request_milliseconds,
      connectionsCheckingInterval: Math.min(5_000, limits.headers_milliseconds),
      // Otherwise Node rejects a request without Host with an empty response.
      requireHostHeader: false,
    },
    requestTimeout: limits.request_milliseconds,
    connectionTimeout: limits.stall_milliseconds,
    clientErrorHandler: answerClientError,
  };
}

/** Handles requests that Node's server rejects or drops before Fastify sees them. */
export function handleProtocolErrors(app: FastifyInstance): void {
  const server: Server = app.server;
  // An unknown expectation may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    respondRaw(socket, new DomainError("method_not_allowed"), "allow: GET, HEAD, POST, PUT\r\n");
  });
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    if (raw.headers.host === undefined && raw.httpVersionMinor > 0) {
      done(new DomainError("invalid_request", { message: "The request has no header Host." }));
    } else done();
  });
}

/** Remembers a request that got its response while its body may still be arriving. */
export function noteEarlyResponse(request: IncomingMessage): void {
  const { socket } = request;
  answered_early.add(socket);
  request.once("end", () => answered_early.delete(socket));
}

/**
 * Responds to a request that Node's parser rejected with the same error body, and closes the connection. One that has sent nothing is
 * closed without a response: browsers open connections ahead, and would take it as the answer to a request that they send just then.
 */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  const is_silent = socket.bytesRead === 0;
  if (is_silent || !socket.writable || error.code === "ECONNRESET" || answered_early.has(socket)) {
    socket.destroy();
    return;
  }
  const before = responseUnderWay(socket);
  // The requests before the malformed one are valid: their responses come first.
  if (before?.req.complete) before.once("close", () => answerClientError(error, socket));
  else respondRaw(socket, new DomainError("invalid_request", { message: clientErrorMessage(error) }));
}

/** The response that Node is writing to the connection, from an undocumented field. */
function responseUnderWay(socket: Socket): ServerResponse | null {
  const response = "_httpMessage" in socket ? socket._httpMessage : null;
  return response instanceof ServerResponse ? response : null;
}

function clientErrorMessage({ code }: { code?: string }): string {
  if (code === "HPE_HEADER_OVERFLOW") return "The request's headers are too large.";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "The request did not arrive in time.";
  return "The request is not valid HTTP.";
}

function respondRaw(socket: Duplex, error: DomainError, headers = ""): void {
  const object = toErrorObject(error, "none");
  const status = statusOf(object);
  const body = JSON.stringify({ success: false, error: object });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `x-content-type-options: nosniff\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
