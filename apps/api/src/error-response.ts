import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isOfOutage, isTooSlow, statusOf, toErrorObject, toTrpcShape } from "./errors.ts";
import { prefersHtml } from "./prefers-html.ts";
import { noteEarlyResponse } from "./protocol.ts";
import { isRedirectUrl } from "./redirect-path.ts";
import { sendBrokenLinkPage } from "./tracking/broken-link-page.ts";
import { isTrpcUrl } from "./trpc/paths.ts";

const RETRY_AFTER_SECONDS = 2;
/** How to authenticate (RFC 6750, 3). Every 401 needs a challenge (RFC 9110, 15.5.2); cookies have none. */
const CHALLENGE = 'Bearer realm="Findersfee"';

/** Writes the error body of the requested surface, a page for the visitor of a redirect link, for any error thrown while handling a request. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  annotateError(error, request, reply);
  // Fastify closes the connection after each body that it did not read. Closing while bytes still arrive
  // causes a reset that can overtake the response. Node discards the rest of the body until the request times
  // out.
  reply.removeHeader("connection");
  if (!request.raw.complete) noteEarlyResponse(request.raw);
  const object = toErrorObject(error, request.id);
  reply.status(statusOf(object));
  if (isOfVisitor(request)) return sendBrokenLinkPage(reply, object);
  const body = isTrpcUrl(request.url) ? { error: toTrpcShape(object) } : { success: false, error: object };
  return reply.send(body);
}

/** Whether a person sees the response: one who opened a redirect link, or anything at a host name of links. */
function isOfVisitor({ url, originalUrl, headers, portal_host, link_host }: FastifyRequest): boolean {
  // A request that the router rejects has no host yet.
  if (portal_host) return false;
  if (link_host) return isRedirectUrl(url) || prefersHtml(headers.accept);
  return isRedirectUrl(originalUrl) || (isRedirectUrl(url) && prefersHtml(headers.accept));
}

/** Adds headers with instructions to an error response, and logs it. */
export function annotateError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const object = toErrorObject(error, request.id);
  const { code } = object;
  if (statusOf(object) === 401) reply.header("www-authenticate", CHALLENGE);
  if (error instanceof DomainError && error.retry_after_seconds !== undefined) {
    reply.header("retry-after", error.retry_after_seconds);
  }
  if (code !== "internal_error" && code !== "unavailable") return;
  if (code === "unavailable") reply.header("retry-after", RETRY_AFTER_SECONDS);
  // A client that disconnected is not a failure of the service.
  if (request.raw.destroyed && (!request.raw.complete || isTooSlow(error))) return;
  // The outage has a line of its own.
  if (isOfOutage(error)) return;
  const facts = { request_id: request.id, organization_id: request.principal?.organization.id, code };
  if (code === "internal_error") request.log.error({ ...facts, err: error }, "request failed");
  else request.log.warn({ ...facts, reason: String(error) }, "unavailable");
}
