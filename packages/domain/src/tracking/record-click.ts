import type { TrackedClick } from "@findersfee/contract/tracking";
import type { ClickRow } from "@findersfee/database/clicks";
import type { LinkCodeRow } from "@findersfee/database/link-codes";
import { DomainError } from "../errors.ts";
import { isId, newId } from "../ids.ts";
import { expiryOf, findClick } from "./find-click.ts";
import { mayRefer } from "./links.ts";
import type { Tracking } from "./tracking.ts";
import { hashVisitor, type Visitor } from "./visitor.ts";

export interface ClickReport {
  code: string;
  visitor: Visitor;
  /** False for what no person did, such as a crawler's visit. */
  counts: boolean;
  landing_url: string | null;
  referrer: string | null;
  /** A click that a redirect link has recorded on the visitor's way to the page; what is no id is ignored. */
  click_id: string | null;
}

/** The answer for a click that does not count: with it, a page has nothing to remember. */
const NOT_COUNTED: TrackedClick = { click_id: null, expires_at: null, cookie_duration: null };

/**
 * Records a click on an affiliate's link and counts it, or takes over the one that a redirect link has
 * recorded. Clicks on links of affiliates who may not refer (banned, not approved, in a campaign without
 * links) are answered and not counted, and so are those that no person made.
 *
 * @throws DomainError `not_found` for a code that no affiliate has
 */
export async function recordClick(
  tracking: Tracking,
  organizationId: string,
  report: ClickReport,
): Promise<TrackedClick> {
  const found = tracking.findLink(organizationId, report.code);
  const link = found instanceof Promise ? await found : found;
  if (link === null) throw unknownCode();
  if (!report.counts || !mayRefer(link)) return NOT_COUNTED;
  const recorded = report.click_id === null ? null : await findRecorded(tracking, link, report);
  if (recorded !== null) return viewClick(recorded, link);
  const click = newClick(tracking, link, report);
  return (await tracking.write(click)) ? viewClick(click, link) : NOT_COUNTED;
}

/** A click of this moment. */
export function newClick(
  { visitor_key }: Tracking,
  { organization_id, affiliate_id, code }: LinkCodeRow,
  { visitor, landing_url, referrer }: Pick<ClickReport, "visitor" | "landing_url" | "referrer">,
): ClickRow {
  const clicked_at = new Date();
  return {
    organization_id,
    id: newId(clicked_at),
    affiliate_id,
    code,
    visitor_hash: hashVisitor(visitor_key, visitor, clicked_at),
    landing_url,
    referrer,
    clicked_at,
  };
}

export function unknownCode(): DomainError {
  return new DomainError("not_found", { message: "No affiliate of the organization has this code." });
}

/** On the way from a redirect link to its page: whoever passes the page's address on later passes on no click. */
const ON_THE_WAY_MILLISECONDS = 60 * 60 * 1000;

/** The click that was recorded on this visitor's way to the page. */
async function findRecorded(
  { database, visitor_key }: Tracking,
  { organization_id, affiliate_id }: LinkCodeRow,
  { click_id, visitor }: ClickReport,
): Promise<ClickRow | null> {
  if (click_id === null || !isId(click_id)) return null;
  const click = await findClick(database, organization_id, click_id);
  if (click === null || click.affiliate_id !== affiliate_id) return null;
  if (Date.now() - click.clicked_at.getTime() > ON_THE_WAY_MILLISECONDS) return null;
  return hashVisitor(visitor_key, visitor, click.clicked_at) === click.visitor_hash ? click : null;
}

function viewClick(click: ClickRow, { cookie_duration }: LinkCodeRow): TrackedClick {
  return {
    click_id: click.id,
    expires_at: expiryOf(click, cookie_duration).toISOString(),
    cookie_duration,
  };
}
