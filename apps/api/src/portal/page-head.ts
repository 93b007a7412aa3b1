import { PORTAL_ICON_PATH, type PublicLook } from "@findersfee/contract/portal/look";
import type { Cache } from "@findersfee/domain/caching/cache";
import type { FastifyRequest } from "fastify";
import type { PageHead } from "../applications/index-page.ts";
import { dashboardUrl } from "../dashboard-url.ts";
import { pathOf } from "../not-found.ts";
import { slugIn } from "./former-slugs.ts";

const TEXTS = {
  en: {
    title: (name: string) => `${name} affiliate program`,
    description: (name: string) => `Recommend ${name} and earn a commission on every sale that you bring.`,
  },
  de: {
    title: (name: string) => `Partnerprogramm von ${name}`,
    description: (name: string) =>
      `Empfehlen Sie ${name} und verdienen Sie an jedem vermittelten Verkauf Provision.`,
  },
};

/** The pages that strangers may find: the list of programs, and each program's form. */
const PUBLIC_PAGE = /^\/portal\/[a-z0-9-]+(\/[^/]+\/join)?$/;

/** A wider logo cannot be read in a tab. */
const WIDEST_ICON = 1.5;

/**
 * The data of an organization's page for tabs, link previews and search engines, which read it before its
 * scripts run. Null: the page is no organization's.
 */
export function createPageHeads(
  looks: Cache<PublicLook | null>,
  public_url: string | null,
): (request: FastifyRequest) => Promise<PageHead | null> {
  return async (request) => {
    const { portal_host } = request;
    const slug = portal_host?.slug ?? slugIn(request.url);
    const found = slug === null ? null : await looks(slug);
    return found === null ? null : headOf(found, request, public_url);
  };
}

function headOf(
  { slug, has_programs, look }: PublicLook,
  request: FastifyRequest,
  public_url: string | null,
): PageHead {
  const { name, logo, languages } = look;
  const { portal_host } = request;
  const path = pathOf(request.url);
  const root = portal_host?.url ?? dashboardUrl(request, public_url).replace(/\/$/, "");
  const words = TEXTS[languages[0] ?? "en"];
  const letter = `${PORTAL_ICON_PATH}${portal_host === null ? `?organization=${slug}` : ""}`;
  const is_icon = logo !== null && logo.width <= logo.height * WIDEST_ICON;
  return {
    title: words.title(name),
    description: words.description(name),
    site: name,
    url: `${root}${path}`,
    icon: `${root}${is_icon ? `/${logo.path}` : letter}`,
    image: logo === null ? null : `${root}/${logo.path}`,
    is_indexed: has_programs && PUBLIC_PAGE.test(path),
  };
}
