import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** An answer that stays the same bytes until the service is another version. */
export interface TaggedBody {
  body: Buffer;
  type: string;
  etag: string;
  cache_control: string;
}

/** Caches may keep it, and ask each time whether it is still the one. */
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

/** The whole body, or that the caller has it already. */
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
