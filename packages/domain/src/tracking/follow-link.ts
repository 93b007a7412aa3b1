import { cutAddress } from "@findersfee/contract/tracking/tracking";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import type { LinkCodeRow } from "@findersfee/database/tracking/link-codes";
import { linkUrl } from "../affiliates/view.ts";
import { expiryOf } from "../attribution/facts/clicks.ts";
import { isAway } from "../caching/memory.ts";
import { DomainError } from "../errors.ts";
import { rejectionOf } from "./links.ts";
import { type NewClick, type RecordedClick, storedClick } from "./recent-clicks.ts";
import { type ClickReport, findFirst, newClick, writeClick } from "./record-click.ts";
import type { Tracking } from "./tracking.ts";

/** A visit of a redirect link. */
export interface LinkVisit
  extends Pick<
    ClickReport,
    "visitor" | "automation" | "referrer" | "sub_id" | "country" | "previous_click_id"
  > {
  /** Null: the link has none. */
  code: string | null;
  /** Parameters for the page, as a query has them. */
  passed_on: readonly string[];
}

/** The target of a redirect link. */
export interface FollowedLink {
  location: string;
  /** The click that the browser stores, if it stores one; null: none counts. */
  click: { id: string; expires_at: Date } | null;
}

/**
 * Returns the target of a redirect link: the page of the affiliate's campaign, with the affiliate's code and the click,
 * which is recorded here, in its query. If the click does not count, or the organization has exceeded its clicks per
 * minute, or the database is away, the query has the code alone. A link without a known code leads to the organization's page, without a click.
 * The page's own parameters stay; the visit's other ones are added.
 *
 * @throws DomainError `not_found` if the organization has no page
 */
export async function followLink(
  tracking: Tracking,
  organizationId: string,
  { passed_on, ...visit }: LinkVisit,
): Promise<FollowedLink> {
  const found = visit.code === null ? null : tracking.findLink(organizationId, visit.code);
  const link = found instanceof Promise ? await found : found;
  const target =
    link === null || link.website_url === null
      ? { location: await pageOf(tracking, organizationId), click: null }
      : await targetOf(tracking, { ...link, website_url: link.website_url }, visit);
  return { ...target, location: addParameters(target.location, passed_on) };
}

async function pageOf(tracking: Tracking, organizationId: string): Promise<string> {
  const page = await tracking.findPage(organizationId);
  if (page === null) throw new DomainError("not_found", { message: "The organization has no website." });
  return new URL(page).href;
}

async function targetOf(
  tracking: Tracking,
  link: LinkCodeRow & { website_url: string },
  {
    visitor,
    automation,
    referrer,
    sub_id,
    country,
    previous_click_id,
  }: Omit<LinkVisit, "code" | "passed_on">,
): Promise<FollowedLink> {
  const landing_url = linkUrl(link.website_url, link.code);
  if (automation !== null || rejectionOf(link) !== null) return { location: landing_url, click: null };
  const click = newClick(tracking, link, {
    visitor,
    landing_url: cutAddress(landing_url),
    referrer,
    sub_id,
    country,
  });
  const recorded =
    storedClick(click, { previous_click_id, click_id: null }) ?? (await writeIfPossible(tracking, click));
  if (recorded === null) return { location: landing_url, click: null };
  const location = linkUrl(link.website_url, link.code, recorded.id);
  // As in `recordClick`, without a pause for links of most campaigns.
  const first =
    link.attribution === "first_click" ? await findStaying(tracking, link, { previous_click_id }) : null;
  if (first === "unknown") return { location, click: null };
  const { id, clicked_at } = first ?? recorded;
  return { location, click: { id, expires_at: expiryOf({ clicked_at }, link.cookie_duration) } };
}

/** Adds parameters to a URL's query, before its hash. Those that it has already keep their values. */
function addParameters(url: string, parameters: readonly string[]): string {
  if (parameters.length === 0) return url;
  const [base = "", ...hash] = url.split("#");
  const [, ...query] = base.split("?");
  const own = new URLSearchParams(query.join("?"));
  const added = parameters.filter(
    (text) => ![...new URLSearchParams(text).keys()].some((name) => own.has(name)),
  );
  if (added.length === 0) return url;
  const separator = query.length === 0 ? "?" : "&";
  return [`${base}${separator}${added.join("&")}`, ...hash].join("#");
}

/** The visitor reaches the page in any case, also while the database is away: the click is lost then. */
async function writeIfPossible(tracking: Tracking, click: NewClick): Promise<RecordedClick | null> {
  try {
    return await writeClick(tracking, click);
  } catch (error) {
    if (isAway(error) || (error instanceof DomainError && error.code === "rate_limited")) return null;
    throw error;
  }
}

/** The click that a browser stored earlier and that stays. While the database is away, nobody knows it, and the browser keeps it itself. */
async function findStaying(
  tracking: Tracking,
  link: LinkCodeRow,
  previous: Pick<ClickReport, "previous_click_id">,
): Promise<ClickRow | null | "unknown"> {
  try {
    return await findFirst(tracking, link, previous);
  } catch (error) {
    if (isAway(error)) return "unknown";
    throw error;
  }
}
