import type { ErrorObject } from "@findersfee/contract/errors";
import type { FastifyReply } from "fastify";

/** The page has no style, script or form. */
const POLICY = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'";

/** Sends the page for visitors who open a redirect link that leads nowhere. */
export function sendBrokenLinkPage(reply: FastifyReply, { code, request_id }: ErrorObject): FastifyReply {
  const is_temporary = code === "rate_limited" || code === "unavailable" || code === "internal_error";
  const sentence = is_temporary
    ? "This link does not work at the moment. Try again in a minute."
    : "This link does not work. Ask for a new one where you found it.";
  return reply
    .header("content-security-policy", POLICY)
    .header("x-content-type-options", "nosniff")
    .header("x-robots-tag", "noindex")
    .header("cache-control", "no-store")
    .type("text/html; charset=utf-8")
    .send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Link does not work</title>
<h1>Link does not work</h1>
<p>${sentence}</p>
<p><small>${request_id}: ${code}</small></p>
</html>
`);
}
