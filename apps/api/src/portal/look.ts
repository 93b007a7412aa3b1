import { PORTAL_ICON_PATH, PORTAL_LOOK_PATH, type PublicLook } from "@findersfee/contract/portal/look";
import type { Database } from "@findersfee/database/postgres/connect";
import { type Cache, createCache } from "@findersfee/domain/caching/cache";
import { MEMORY_MILLISECONDS } from "@findersfee/domain/caching/memory";
import { DomainError } from "@findersfee/domain/errors";
import type { PortalHost } from "@findersfee/domain/portal/hosts";
import { getLogoFile, getPublicLook, type LogoFile } from "@findersfee/domain/portal/look";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Admission } from "../admission/admission.ts";
import { limitAddresses } from "../admission/limit-addresses.ts";
import type { ApiConfig } from "../config.ts";
import { letterIcon } from "./letter-icon.ts";

/** A change of the look is visible after this time at the latest. */
const LOOKS = { ttl_milliseconds: 5_000, max_entries: 1_000 };
/** At most 8 MB. The address of a logo has the hash of its content. */
const LOGOS = { ttl_milliseconds: 60_000, max_entries: 64 };

/** Requests per address and minute: a page of the portal makes two. */
const LIMIT_PER_MINUTE = 600;

/** Pictures that can do nothing else, also when somebody opens their address. */
const PICTURE_POLICY = "sandbox; default-src 'none'";

/** The names of logos contain the hash of their content. */
const IMMUTABLE = "public, max-age=31536000, immutable";

/** The looks of organizations by the names in their addresses, for this process. Null: no organization has the name. */
export function createLooks(database: Database): Cache<PublicLook | null> {
  return createCache<PublicLook | null>((slug) => lookOf(database, slug), {
    ...LOOKS,
    memory_milliseconds: MEMORY_MILLISECONDS,
  });
}

export interface PortalLookDependencies {
  database: Database;
  looks: Cache<PublicLook | null>;
  admission: Admission;
  config: ApiConfig;
}

/** Serves the public look of an organization's portal, and its logo. */
export function servePortalLook(
  app: FastifyInstance,
  { database, looks, admission, config }: PortalLookDependencies,
): void {
  const slots = admission.createSlots({ needs_no_database: true });
  const logos = createCache<LogoFile | null>(async (name) => {
    const [organization_id = "", hash = ""] = name.split("/");
    return await getLogoFile(database, { organization_id, hash });
  }, LOGOS);
  app.register(async (scope) => {
    if (config.sign_in_limit_per_minute > 0) scope.addHook("onRequest", limitAddresses(LIMIT_PER_MINUTE));
    scope.addHook("onRequest", async (request, reply) => {
      slots.take(reply);
      slots.holdAddress(request, reply);
    });
    const find = async ({ query, portal_host }: FastifyRequest): Promise<PublicLook> => {
      const slug = slugOf((query as { organization?: unknown }).organization, portal_host);
      const found = slug === null ? null : await looks(slug);
      // A host name shows its own organization alone.
      if (found === null || (portal_host !== null && portal_host.slug !== found.slug))
        throw new DomainError("not_found", { message: "No program has this address." });
      return found;
    };
    scope.get(PORTAL_LOOK_PATH, async (request, reply) => {
      const data = await find(request);
      reply.header("cache-control", "no-cache");
      return { success: true, data };
    });
    scope.get(PORTAL_ICON_PATH, async (request, reply) => {
      const { look } = await find(request);
      return reply
        .header("cache-control", "public, max-age=3600")
        .header("content-security-policy", PICTURE_POLICY)
        .type("image/svg+xml")
        .send(letterIcon(look));
    });
    scope.get<{ Params: { organization: string; hash: string } }>(
      "/portal/logo/:organization/:hash",
      async ({ params: { organization, hash } }, reply) => {
        const logo = isId(organization) && isHash(hash) ? await logos(`${organization}/${hash}`) : null;
        if (logo === null) throw new DomainError("not_found", { message: "There is no such logo." });
        return reply
          .header("cache-control", IMMUTABLE)
          .header("content-security-policy", PICTURE_POLICY)
          .header("x-content-type-options", "nosniff")
          .type(logo.type)
          .send(logo.content);
      },
    );
  });
}

async function lookOf(database: Database, slug: string): Promise<PublicLook | null> {
  try {
    return await getPublicLook(database, slug);
  } catch (error) {
    if (error instanceof DomainError && error.code === "not_found") return null;
    throw error;
  }
}

/** The organization that a request asks for, by its present or a former name; at a host name, that one's. Null: none. */
function slugOf(asked: unknown, portal_host: PortalHost | null): string | null {
  if (asked === undefined) return portal_host?.slug ?? null;
  return typeof asked === "string" && isSlug(asked) ? asked : null;
}

const MAX_SLUG_LENGTH = 63;

/** Other texts reach neither the cache nor the database. */
export function isSlug(text: string): boolean {
  return text.length <= MAX_SLUG_LENGTH && /^[a-z0-9-]+$/.test(text);
}

function isId(text: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(text);
}

function isHash(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
