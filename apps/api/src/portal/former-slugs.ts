import { RESERVED_SLUGS } from "@findersfee/contract/portal/reserved-slugs";
import type { Database } from "@findersfee/database/postgres/connect";
import { createCache } from "@findersfee/domain/caching/cache";
import { getCurrentSlug } from "@findersfee/domain/portal/look";
import { findOnlyProgram } from "@findersfee/domain/portal/public-program";
import type { FastifyReply, FastifyRequest } from "fastify";
import { limitAddresses } from "../admission/limit-addresses.ts";
import { applicationPath } from "../applications/index-page.ts";
import type { BeforeDocument } from "../applications/serve.ts";
import { pathOf } from "../not-found.ts";
import { isSlug } from "./look.ts";

/** A renamed organization's former addresses lead to the new ones after this time at the latest. */
const SLUGS = { ttl_milliseconds: 5_000, max_entries: 1_000 };

/** Pages per address and minute: a company's affiliates, or its staff, have one address. */
const LIMIT_PER_MINUTE = 600;

/**
 * Redirects pages from a former name of an organization to its present one: `/portal/acme/…`, and the dashboard's `/o/acme/…`. Without the
 * database the page is served as it is, since it is there that people read of the outage.
 */
export function redirectFormerSlugs(
  database: Database,
  { public_url, is_limited }: { public_url: string | null; is_limited: boolean },
): BeforeDocument {
  const limit = is_limited ? limitAddresses(LIMIT_PER_MINUTE) : null;
  const slugs = createCache<string | null>((slug) => getCurrentSlug(database, slug), SLUGS);
  return async (request, reply) => {
    const asked = slugIn(request.url);
    if (asked === null) return;
    await new Promise<void>((resolve, reject) => {
      if (limit === null) resolve();
      else limit(request, reply, (error) => (error === undefined ? resolve() : reject(error)));
    });
    const withoutDatabase = (error: unknown) => {
      request.log.warn({ request_id: request.id, reason: String(error) }, "did not look for an organization");
      return null;
    };
    const slug = await slugs(asked).catch(withoutDatabase);
    if (slug !== null && slug !== asked)
      return void redirectToSlug(request, reply, { asked, slug, public_url });
    if (slug !== null && pathOf(request.url) === `/portal/${slug}/join`) {
      const campaign_id = await findOnlyProgram(database, slug).catch(withoutDatabase);
      redirectToProgram(request, reply, { slug, campaign_id, public_url });
    }
  };
}

/**
 * Leads from the address that people can remember, `/portal/acme/join`, to the form of the only program that the organization lists,
 * else to the page of those that it lists. Programs that can be joined by their own address alone stay unknown.
 */
function redirectToProgram(
  request: FastifyRequest,
  reply: FastifyReply,
  { slug, campaign_id, public_url }: { slug: string; campaign_id: string | null; public_url: string | null },
): void {
  const form = campaign_id === null ? "" : `/${campaign_id}/join`;
  const path = request.portal_host === null ? applicationPath(public_url) : "/";
  const query = request.url.slice(pathOf(request.url).length);
  reply.redirect(`${path}portal/${slug}${form}${query}`);
}

/** Answers with the same address, with another name in it. Browsers keep the part after its `#`. */
export function redirectToSlug(
  { url, portal_host }: FastifyRequest,
  reply: FastifyReply,
  { asked, slug, public_url }: { asked: string; slug: string; public_url: string | null },
): FastifyReply {
  // The host names of organizations have no path before the service's own.
  const path = portal_host === null ? applicationPath(public_url) : "/";
  const [, before = "", after = ""] = url.match(/^\/(o\/|portal\/(?:embed\/)?)[a-z0-9-]+(.*)$/s) ?? [];
  if (!url.startsWith(`/${before}${asked}`)) throw new Error(`${url} does not name ${asked}`);
  return reply.redirect(`${path}${before}${slug}${after}`);
}

/** The name of an organization in the address of a page; null: another page. */
export function slugIn(url: string): string | null {
  const [, application, first = ""] = url.split(/[/?#]/, 3);
  const has_slug = application === "portal" || application === "o";
  return has_slug && isSlug(first) && !RESERVED_SLUGS.has(first) ? first : null;
}
