import { readFile } from "node:fs/promises";
import { join } from "node:path";
import helmet from "@fastify/helmet";
import type { Database } from "@findersfee/database/postgres/connect";
import { createCache } from "@findersfee/domain/caching/cache";
import { DomainError } from "@findersfee/domain/errors";
import { type Embedding, getEmbedding } from "@findersfee/domain/portal/embed";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Admission } from "../admission/admission.ts";
import { limitAddresses } from "../admission/limit-addresses.ts";
import { applicationPath, renderEmbedded } from "../applications/index-page.ts";
import { policyFor, SECURITY_HEADERS } from "../applications/security-headers.ts";
import type { ApiConfig } from "../config.ts";
import { sendTagged } from "../rest/tagged-body.ts";
import { redirectToSlug } from "./former-slugs.ts";
import { isSlug } from "./look.ts";

/** Changed origins count after this time at the latest. */
const ORIGINS = { ttl_milliseconds: 5_000, max_entries: 1_000 };

/** Documents per address and minute: a company's affiliates have one address. */
const LIMIT_PER_MINUTE = 600;

interface Serving {
  /** The folder of the portal's build. */
  folder: string;
  database: Database;
  admission: Admission;
  config: ApiConfig;
}

/**
 * Serves the portal's document for frames. The organization is in its address, since its origins are in the header that lets
 * browsers show the document; the token is not: it follows the `#`, which browsers do not send.
 */
export async function serveEmbeddedPortal(
  app: FastifyInstance,
  { folder, database, admission, config }: Serving,
): Promise<void> {
  const html = await readFile(join(folder, "embed.html"), "utf8");
  const path_here = `${applicationPath(config.public_url)}portal/`;
  const slots = admission.createSlots();
  const embeddings = createCache<Embedding | null>((slug) => getEmbedding(database, slug), ORIGINS);
  app.register(async (scope) => {
    await scope.register(helmet, { global: false });
    if (config.sign_in_limit_per_minute > 0) scope.addHook("onRequest", limitAddresses(LIMIT_PER_MINUTE));
    scope.addHook("onRequest", async (request, reply) => {
      slots.take(reply);
      slots.holdAddress(request, reply);
    });
    const send = async (request: FastifyRequest, reply: FastifyReply) => {
      const { organization: asked } = request.params as { organization: string };
      const found = isSlug(asked) ? await embeddings(asked) : null;
      if (found === null) throw noProgram();
      const { portal_host } = request;
      // At an organization's host name, only its own portal is embedded.
      if (portal_host !== null && portal_host.slug !== found.slug) throw noProgram();
      if (found.slug !== asked) {
        return redirectToSlug(request, reply, { asked, slug: found.slug, public_url: config.public_url });
      }
      const { frame_origins } = found;
      const contentSecurityPolicy = policyFor(frame_origins);
      await reply.helmet({ ...SECURITY_HEADERS, contentSecurityPolicy, xFrameOptions: false });
      const { theme } = request.query as { theme?: unknown };
      // The host names of organizations have no path before the service's own.
      const path = portal_host === null ? path_here : "/portal/";
      return sendTagged(request, reply, renderEmbedded(html, { path, theme, frame_origins }));
    };
    scope.get("/portal/embed/:organization", send);
    // The portal's router ends the address of its first page so.
    scope.get("/portal/embed/:organization/", send);
    scope.get("/portal/embed/:organization/*", send);
  });
}

function noProgram(): DomainError {
  return new DomainError("not_found", { message: "No program has this address." });
}
