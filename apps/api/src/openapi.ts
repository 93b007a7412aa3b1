import type { FastifyInstance } from "fastify";
import type { OpenApiRouter } from "trpc-openapi";
import { describeApi } from "./openapi/document.ts";
import { sendTagged, type TaggedBody, tagBody } from "./tagged-body.ts";

/**
 * Serves the OpenAPI document at `/v1/openapi.json`, to anybody. It is made when it is first asked for, and
 * from then on is the same bytes.
 */
export function serveOpenapi(
  app: FastifyInstance,
  { router, public_url }: { router: OpenApiRouter; public_url: string | null },
): void {
  let rendered: TaggedBody | null = null;
  app.get("/v1/openapi.json", async (request, reply) => {
    rendered ??= renderDocument(router, public_url);
    return sendTagged(request, reply, rendered);
  });
}

function renderDocument(router: OpenApiRouter, public_url: string | null): TaggedBody {
  const server_url = `${public_url ?? ""}/v1`;
  return tagBody(JSON.stringify(describeApi(router, { server_url })), "application/json; charset=utf-8");
}
