import { createRequire } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import helmet from "@fastify/helmet";
import statics from "@fastify/static";
import type { FastifyInstance } from "fastify";

const OWN_FILES = fileURLToPath(new URL("./docs/", import.meta.url));
const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"));

/** All that the page consists of; Swagger UI's package has more, such as a page that loads a pet store. */
const FILES = ["docs.css", "docs.js", "icon.svg", "swagger-ui.css", "swagger-ui-bundle.js"];

/**
 * Serves the reference page at `/docs/`: Swagger UI with the service's own OpenAPI document. Everything
 * comes from this server by relative addresses, so it needs no internet, and works behind a path prefix.
 */
export function serveDocs(app: FastifyInstance, { public_url }: { public_url: string | null }): void {
  // Whoever opens the service's address in a browser looks for this.
  app.get("/", async (_request, reply) => reply.redirect("docs/"));
  app.register(
    async (docs) => {
      await docs.register(helmet, securityHeaders(public_url));
      await docs.register(statics, { root: [OWN_FILES, SWAGGER_UI], serve: false });
      docs.get("", async (_request, reply) => reply.redirect("docs/"));
      docs.get("/", { prefixTrailingSlash: "slash" }, async (_request, reply) => {
        return reply.sendFile("index.html");
      });
      for (const file of FILES) docs.get(`/${file}`, async (_request, reply) => reply.sendFile(file));
    },
    { prefix: "/docs" },
  );
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
