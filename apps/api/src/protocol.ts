import { type IncomingMessage, type Server, ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyHttpOptions, FastifyInstance } from "fastify";
import { statusOf, toErrorObject } from "./errors.ts";
import type { Limits } from "./limits.ts";

/** Connections whose request was answered before its body had come in. */
const answered_early = new WeakSet<Socket>();

/** Node's own limits. What it would answer by itself, below, gets the one error body instead. */
export function protocolOptions(limits: Limits): FastifyHttpOptions<Server> {
  return {
    http: {
      headersTimeout: limits.headers_milliseconds,
      requestTimeout: limits.request_milliseconds,
      connectionsCheckingInterval: Math.min(5_000, limits.headers_milliseconds),
      // Else Node refuses a request without Host with an empty answer.
      requireHostHeader: false,
    },
    requestTimeout: limits.request_milliseconds,
    connectionTimeout: limits.stall_milliseconds,
    clientErrorHandler: answerClientError,
  };
}

/** Takes over what Node's server answers, or leaves unanswered, without asking Fastify. */
export function answerProtocol(app: FastifyInstance): void {
  const server: Server = app.server;
  // An expectation that we do not know may be ignored (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
  server.on("connect", (_request: IncomingMessage, socket: Duplex) => {
    answerRaw(socket, new DomainError("method_not_allowed"), "allow: GET, HEAD, POST, PUT\r\n");
  });
  app.addHook("onRequest", ({ raw }, _reply, done) => {
    if (raw.headers.host === undefined && raw.httpVersionMinor > 0) {
      done(new DomainError("invalid_request", { message: "The request has no header Host." }));
    } else done();
  });
}

/** Remembers that nothing more is to be said about a request, whose body may still be on its way. */
export function noteEarlyAnswer(request: IncomingMessage): void {
  const { socket } = request;
  answered_early.add(socket);
  request.once("end", () => answered_early.delete(socket));
}

/** What Node's parser refused never became a request; it gets the same body, and the connection is closed. */
function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET" || answered_early.has(socket)) {
    socket.destroy();
    return;
  }
  const before = responseUnderWay(socket);
  // The requests before the wrong one are good: they get their answers first.
  if (before?.req.complete) before.once("close", () => answerClientError(error, socket));
  else answerRaw(socket, new DomainError("invalid_request", { message: clientErrorMessage(error) }));
}

/** The response that Node writes to the connection now. It keeps it in a field that it does not document. */
function responseUnderWay(socket: Socket): ServerResponse | null {
  const response = "_httpMessage" in socket ? socket._httpMessage : null;
  return response instanceof ServerResponse ? response : null;
}

function clientErrorMessage({ code }: { code?: string }): string {
  if (code === "HPE_HEADER_OVERFLOW") return "The request's headers are too large.";
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return "The request did not arrive in time.";
  return "The request is not valid HTTP.";
}

function answerRaw(socket: Duplex, error: DomainError, headers = ""): void {
  const object = toErrorObject(error, "none");
  const status = statusOf(object);
  const body = JSON.stringify({ success: false, error: object });
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\ncontent-type: application/json; charset=utf-8\r\n` +
      `${headers}content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}
