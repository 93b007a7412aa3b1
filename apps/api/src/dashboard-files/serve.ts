import { readFile } from "node:fs/promises";
import { join } from "node:path";
import helmet from "@fastify/helmet";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendTagged } from "../tagged-body.ts";
import { chooseEncoding, readAssets } from "./assets.ts";
import { applicationPath, renderIndex, themeOf } from "./index-page.ts";

/** The names of assets contain a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/*
 * The addresses of the dashboard's two documents: one for people without a session, and one for all others. Other addresses
 * stay unknown, so that programs get errors and no page.
 */
const ENTRANCE = [
  "/sign-in",
  "/sign-in/second-step",
  "/sign-in/confirm-email",
  "/setup",
  "/reset",
  "/invitation",
];
const APPLICATION = ["/", "/organizations", "/me"];
const APPLICATION_BELOW = ["/o/*"];

/** Serves a build of the dashboard: its documents and its assets. */
export async function serveDashboard(
  app: FastifyInstance,
  { folder, public_url }: { folder: string; public_url: string | null },
): Promise<void> {
  const sendDocument = async (name: string) => {
    const pages = renderIndex(await readFile(join(folder, name), "utf8"), applicationPath(public_url));
    return async (request: FastifyRequest, reply: FastifyReply) => {
      reply.header("vary", "accept, cookie");
      return sendTagged(request, reply, pages[themeOf(request.headers.cookie)]);
    };
  };
  const [sendEntrance, sendApplication] = [
    await sendDocument("entrance.html"),
    await sendDocument("index.html"),
  ];
  const assets = await readAssets(join(folder, "assets"));

  app.register(async (dashboard) => {
    await dashboard.register(helmet, SECURITY_HEADERS);
    for (const path of ENTRANCE) dashboard.get(path, sendEntrance);
    for (const path of APPLICATION) dashboard.get(path, sendApplication);
    // Browsers get a page about the missing resource; other clients get the error of every unknown path.
    const config = { answers_not_found: true };
    for (const path of APPLICATION_BELOW) dashboard.get(path, { config }, sendApplication);

    dashboard.get<{ Params: { name: string } }>("/assets/:name", async (request, reply) => {
      const asset = assets.get(request.params.name);
      if (asset === undefined) throw new DomainError("not_found", { message: "Unknown path." });
      const { encoding, content } = chooseEncoding(asset, request.headers["accept-encoding"]);
      if (encoding !== null) reply.header("content-encoding", encoding);
      return reply
        .header("vary", "accept-encoding")
        .header("cache-control", IMMUTABLE)
        .type(asset.type)
        .send(content);
    });
  });
}

const SECURITY_HEADERS = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  },
  // Only the proxy that terminates TLS knows whether TLS is used, and for which host names.
  strictTransportSecurity: false,
  xFrameOptions: { action: "deny" as const },
  // Requests of the application say where they come from, which the service checks.
  referrerPolicy: { policy: "same-origin" as const },
};
