import { basename, dirname } from "node:path";
import helmet from "@fastify/helmet";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { asset_names, docsFile } from "./docs/files.ts";
import { pages, REFERENCE } from "./docs/pages.ts";
import { sendTagged, type TaggedBody } from "./tagged-body.ts";

/**
 * Serves the documents as pages under `/docs/`, and the reference of all operations, Swagger UI with the
 * service's own OpenAPI document, at `/docs/reference`. Everything comes from this server by relative
 * addresses, so it needs no internet, and works behind a path prefix. A page is rendered when it is first
 * asked for, and from then on is the same bytes.
 */
export function serveDocs(app: FastifyInstance, { public_url }: { public_url: string | null }): void {
  // Whoever opens the service's address in a browser looks for this.
  app.get("/", async (_request, reply) => reply.redirect("docs/"));
  app.register(
    async (docs) => {
      await docs.register(helmet, securityHeaders(public_url));
      await docs.register(statics, { serve: false });
      docs.get("", async (_request, reply) => reply.redirect("docs/"));
      docs.get(`/${REFERENCE}/`, async (_request, reply) => reply.redirect(`../${REFERENCE}`));
      servePages(docs);
      for (const name of asset_names) {
        const path = docsFile(name);
        docs.get(`/${name}`, async (_request, reply) => reply.sendFile(basename(path), dirname(path)));
      }
    },
    { prefix: "/docs" },
  );
}

type Site = typeof import("./docs/site.ts");

function servePages(docs: FastifyInstance): void {
  const serve = (path: string, render: (site: Site) => TaggedBody | Promise<TaggedBody>): void => {
    let rendered: TaggedBody | null = null;
    docs.get(path, { prefixTrailingSlash: "slash" }, async (request, reply) => {
      // Loaded here: a service whose pages nobody reads starts faster, and needs no memory for it.
      rendered ??= await render(await import("./docs/site.ts"));
      return sendTagged(request, reply, rendered);
    });
  };
  for (const page of pages) serve(`/${page.slug}`, (site) => site.renderPage(page));
  serve(`/${REFERENCE}`, (site) => site.renderReference());
  serve("/search.json", (site) => site.renderSearchIndex());
}

function securityHeaders(public_url: string | null) {
  // What is tried out goes to the address that the document names, which need not be the page's.
  const api_origins = public_url === null ? [] : [new URL(public_url).origin];
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        // Swagger UI's style sheet has its icons inside.
        imgSrc: ["'self'", "data:"],
        connectSrc: ["'self'", ...api_origins],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    // Whether there is TLS, and for which names, is known to whoever terminates it.
    strictTransportSecurity: false,
    xFrameOptions: { action: "deny" as const },
  };
}
