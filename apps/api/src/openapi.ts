import { parseUrl } from "@findersfee/contract/parse-url";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { documentAt } from "./openapi/document.ts";
import type { ApiDocument } from "./openapi/document-types.ts";
import { sendTagged, type TaggedBody, tagBody } from "./rest/tagged-body.ts";

interface Served {
  public_url: string | null;
  /** The document without a server address, generated once. */
  describe: () => ApiDocument;
}

/**
 * Serves the OpenAPI document at `/v1/openapi.json`, without authentication. It contains the service's public
 * address, or else the address of the request: clients are generated from a copy, where a relative address is
 * useless. The document is generated on the first request; for another address only its text is written
 * again.
 */
export function serveOpenapi(app: FastifyInstance, { public_url, describe }: Served): void {
  let rendered: (TaggedBody & { server_url: string }) | null = null;
  app.get("/v1/openapi.json", async (request, reply) => {
    const server_url = `${public_url ?? originOf(request)}/v1`;
    if (rendered?.server_url !== server_url) {
      rendered = { server_url, ...renderDocument(documentAt(describe(), server_url)) };
    }
    return sendTagged(request, reply, rendered);
  });
}

function renderDocument(document: ApiDocument): TaggedBody {
  return tagBody(JSON.stringify(document), "application/json; charset=utf-8");
}

/**
 * The origin in the request's Host header; empty without one, as in HTTP/1.0. X-Forwarded-Host is never read,
 * because a client can forge it: behind a proxy, PUBLIC_URL sets the address.
 */
function originOf({ headers }: FastifyRequest): string {
  const address = `http://${headers.host ?? ""}`;
  return /^http:\/\/[^/]/.test(address) ? (parseUrl(address)?.origin ?? "") : "";
}
