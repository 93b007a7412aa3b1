import { readFile } from "node:fs/promises";
import { join } from "node:path";
import helmet from "@fastify/helmet";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pathOf } from "../not-found.ts";
import { prefersHtml } from "../prefers-html.ts";
import { sendTagged } from "../rest/tagged-body.ts";
import { chooseEncoding, readAssets } from "./assets.ts";
import { applicationPath, type PageHead, renderIndex, themeOf, withHead } from "./index-page.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";

/** The names of assets contain a hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** A document of a build, and the addresses that it is the page of. */
export interface ServedDocument {
  /** Its file. */
  name: string;
  paths: readonly string[];
  /** Patterns of addresses that may not exist: browsers get the page, and other clients the error of every unknown path. */
  paths_below?: readonly string[];
  /** The beginnings of addresses below these that never have a page. */
  except?: readonly string[];
  /** Whether an address has a page that is nobody's. Those that are known, and those with a head, are sent to all clients. */
  knows?: (path: string) => boolean;
}

/** Runs before each document is sent, and may answer instead. */
export type BeforeDocument = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/** The head of a page that belongs to somebody; null: the service's own is right. */
export type HeadOf = (request: FastifyRequest) => Promise<PageHead | null>;

export interface ServedApplication {
  /** The folder of its build. */
  folder: string;
  public_url: string | null;
  /** The path before all of its addresses: empty, or `/portal`. */
  prefix: string;
  documents: readonly ServedDocument[];
  before?: BeforeDocument;
  headOf?: HeadOf;
}

/** Serves a build: its documents and its assets. */
export async function serveApplication(
  app: FastifyInstance,
  { folder, public_url, prefix, documents, before, headOf }: ServedApplication,
): Promise<void> {
  const below = prefix === "" ? "" : `${prefix.slice(1)}/`;
  const rendered = await Promise.all(
    documents.map(async (document) => {
      const html = await readFile(join(folder, document.name), "utf8");
      return {
        ...document,
        pages: renderIndex(html, `${applicationPath(public_url)}${below}`),
        // The host names of organizations have no path before the service's own.
        pages_at_hosts: renderIndex(html, `/${below}`, true),
      };
    }),
  );
  const assets = await readAssets(join(folder, "assets"));

  app.register(async (served) => {
    await served.register(helmet, SECURITY_HEADERS);
    for (const { pages, pages_at_hosts, paths, paths_below = [], except = [], knows } of rendered) {
      const send = async (request: FastifyRequest, reply: FastifyReply) => {
        reply.header("vary", "accept, cookie");
        const of_host = request.portal_host === null ? pages : pages_at_hosts;
        const page = of_host[themeOf(request.headers.cookie)];
        const head = headOf === undefined ? null : await headOf(request).catch(withoutHead(request));
        if (head !== null) return sendTagged(request, reply, withHead(page, head));
        if (knows?.(pathOf(request.url)) === false && !prefersHtml(request.headers.accept)) {
          throw new DomainError("not_found", { message: "Unknown path." });
        }
        return sendTagged(request, reply, page);
      };
      const preHandler = before === undefined ? {} : { preHandler: before };
      for (const path of paths) served.get(`${prefix}${path}`, preHandler, send);
      const config: FastifyContextConfig = {
        answers_not_found: { except: except.map((path) => `${prefix}${path}`), for_all: knows !== undefined },
      };
      for (const path of paths_below) served.get(`${prefix}${path}`, { config, ...preHandler }, send);
    }

    served.get<{ Params: { name: string } }>(`${prefix}/assets/:name`, async (request, reply) => {
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

/** Without the database, the page says so itself. */
function withoutHead(request: FastifyRequest): (error: unknown) => null {
  return (error) => {
    request.log.warn({ request_id: request.id, reason: String(error) }, "did not read whose page it is");
    return null;
  };
}
