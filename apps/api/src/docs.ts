import { basename, dirname } from "node:path";
import helmet from "@fastify/helmet";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { asset_names, docsFile } from "./docs/files.ts";
import { llmsIndex } from "./docs/llms.ts";
import { markdownName, pages, REFERENCE, reference_pages } from "./docs/pages.ts";
import type { ApiDocument } from "./openapi/document-types.ts";
import { sendTagged, type TaggedBody, tagBody } from "./rest/tagged-body.ts";

interface Served {
  public_url: string | null;
  /** The OpenAPI document that the reference is rendered from. */
  describe: () => ApiDocument;
}

/**
 * Serves the documents and the API reference as pages under `/docs/`, each also as Markdown with the suffix
 * `.md`, and their index for language models at `/llms.txt`. All links are relative and all files are served
 * from here, so it works offline and behind a path prefix. Each page is rendered on its first request and
 * cached.
 */
export function serveDocs(app: FastifyInstance, { public_url, describe }: Served): void {
  // The entry point for language models.
  app.get("/llms.txt", async (_request, reply) => reply.redirect("docs/llms.txt"));
  app.register(
    async (docs) => {
      await docs.register(helmet, SECURITY_HEADERS);
      await docs.register(statics, { serve: false });
      docs.get("", async (_request, reply) => reply.redirect("docs/"));
      docs.get(`/${REFERENCE}/`, async (_request, reply) => reply.redirect(`../${REFERENCE}`));
      servePages(docs, { public_url, describe });
      for (const name of asset_names) {
        const path = docsFile(name);
        docs.get(`/${name}`, async (_request, reply) => reply.sendFile(basename(path), dirname(path)));
      }
      serveMissing(docs);
    },
    { prefix: "/docs" },
  );
}

type Site = typeof import("./docs/site.ts");

/**
 * Loads the renderer with the first page, so that a service without readers starts faster and uses less
 * memory.
 */
async function loadSite(): Promise<Site> {
  return await import("./docs/site.ts");
}

function servePages(docs: FastifyInstance, { public_url, describe }: Served): void {
  const serve = (path: string, render: (site: Site) => TaggedBody | Promise<TaggedBody>): void => {
    let rendered: Promise<TaggedBody> | null = null;
    docs.get(path, { prefixTrailingSlash: "slash" }, async (request, reply) => {
      rendered ??= loadSite()
        .then(render)
        .catch((error: unknown) => {
          // A file that could not be read now may be readable on the next request.
          rendered = null;
          throw error;
        });
      return sendTagged(request, reply, await rendered);
    });
  };
  for (const page of pages) {
    serve(`/${page.slug}`, (site) => site.renderPage(page));
    serve(`/${markdownName(page.slug)}`, (site) => site.renderPageMarkdown(page));
  }
  for (const page of reference_pages) {
    serve(`/${page.slug}`, (site) => site.renderReference(page, describe()));
    serve(`/${markdownName(page.slug)}`, (site) => site.renderReferenceMarkdown(page, describe()));
  }
  serve("/search.json", (site) => site.renderSearchIndex(describe()));
  const base = public_url === null ? "" : `${public_url}/docs/`;
  serve("/llms.txt", () => tagBody(llmsIndex(base), "text/plain; charset=utf-8"));
}

/** Browsers get a page with suggestions; other clients get the error body of every unknown path. */
function serveMissing(docs: FastifyInstance): void {
  const config = { answers_not_found: { except: [] } };
  docs.get<{ Params: { "*": string } }>("/*", { config }, async (request, reply) => {
    const { missingPage } = await loadSite();
    reply.header("cache-control", "no-store").header("vary", "accept");
    return reply.status(404).type("text/html; charset=utf-8").send(missingPage(request.params["*"]));
  });
}

const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'none'"],
      frameAncestors: ["'none'"],
    },
  },
  // Only the proxy that terminates TLS knows whether TLS is used, and for which host names.
  strictTransportSecurity: false,
  xFrameOptions: { action: "deny" as const },
};
