import { createHash } from "node:crypto";
import type { FastifyInstance } from "fastify";
import type { OpenApiRouter } from "trpc-openapi";
import { describeApi } from "./openapi/document.ts";

/**
 * Serves the OpenAPI document at `/v1/openapi.json`, to anybody. It is made when it is first asked for, and
 * from then on is the same bytes.
 */
export function serveOpenapi(
  app: FastifyInstance,
  { router, public_url }: { router: OpenApiRouter; public_url: string | null },
): void {
  let rendered: RenderedDocument | null = null;
  app.get("/v1/openapi.json", async (request, reply) => {
    rendered ??= renderDocument(router, public_url);
    // Caches may keep it, and ask each time whether it is still the one.
    reply.header("etag", rendered.etag).header("cache-control", "public, no-cache");
    if (hasTag(request.headers["if-none-match"], rendered.etag)) return reply.status(304).send();
    return reply.type("application/json; charset=utf-8").send(rendered.body);
  });
}

interface RenderedDocument {
  body: Buffer;
  etag: string;
}

function renderDocument(router: OpenApiRouter, public_url: string | null): RenderedDocument {
  const server_url = `${public_url ?? ""}/v1`;
  const body = Buffer.from(JSON.stringify(describeApi(router, { server_url })));
  return { body, etag: `"${createHash("sha256").update(body).digest("base64url").slice(0, 27)}"` };
}

/** RFC 9110, 13.1.2: a list of tags, compared weakly, or `*`. */
function hasTag(if_none_match: string | undefined, etag: string): boolean {
  const tags = (if_none_match ?? "").split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || tags.includes("*");
}
