import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** A response that stays the same until the service's version changes. */
export interface TaggedBody {
  body: Buffer;
  type: string;
  etag: string;
  cache_control: string;
}

/** Caches may store it, and revalidate it each time. */
const ASK_EACH_TIME = "public, no-cache";

export function tagBody(text: string, type: string, cache_control = ASK_EACH_TIME): TaggedBody {
  const body = Buffer.from(text);
  return {
    body,
    type,
    cache_control,
    etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"`,
  };
}

/** Sends the whole body, or 304 if the caller already has it. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, tagged: TaggedBody): FastifyReply {
  reply.header("etag", tagged.etag).header("cache-control", tagged.cache_control);
  if (hasTag(request.headers["if-none-match"], tagged.etag)) return reply.status(304).send();
  return reply.type(tagged.type).send(tagged.body);
}

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or `*`. */
function hasTag(if_none_match: string | undefined, etag: string): boolean {
  const tags = (if_none_match ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
