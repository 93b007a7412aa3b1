import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** An answer that stays the same bytes until the service is another version. */
export interface TaggedBody {
  body: Buffer;
  type: string;
  etag: string;
}

export function tagBody(text: string, type: string): TaggedBody {
  const body = Buffer.from(text);
  return { body, type, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` };
}

/** Caches may keep it, and ask each time whether it is still the one. */
export function sendTagged(request: FastifyRequest, reply: FastifyReply, tagged: TaggedBody): FastifyReply {
  reply.header("etag", tagged.etag).header("cache-control", "public, no-cache");
  if (hasTag(request.headers["if-none-match"], tagged.etag)) return reply.status(304).send();
  return reply.type(tagged.type).send(tagged.body);
}

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or `*`. */
function hasTag(if_none_match: string | undefined, etag: string): boolean {
  const tags = (if_none_match ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
