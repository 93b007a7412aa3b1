import type { ReportedClick } from "@findersfee/contract/tracking/tracking";
import { findAffiliate } from "@findersfee/database/affiliates/affiliates";
import type { ClickRow } from "@findersfee/database/tracking/clicks";
import type { LinkCodeRow } from "@findersfee/database/tracking/link-codes";
import { expiryOf, findClick } from "../attribution/facts/clicks.ts";
import { DomainError } from "../errors.ts";
import { isId } from "../ids.ts";
import { hashDailyNetwork } from "./daily-network.ts";
import { rejectionOf } from "./links.ts";
import { identifyClick, type NewClick, type RecordedClick, storedClick } from "./recent-clicks.ts";
import type { Tracking } from "./tracking.ts";
import { hashVisitor, type Visitor } from "./visitor.ts";

export interface ClickReport {
  /** Null: the visitor comes from another domain of the organization, with `click_id`. */
  code: string | null;
  visitor: Visitor;
  /** Why an automated request, such as a crawler's visit, does not count; null: the visitor's own. */
  automation: "bot" | "prefetch" | null;
  landing_url: string | null;
  referrer: string | null;
  /** The affiliate's own name for the place of the link. */
  sub_id: string | null;
  /** As the operator's proxy reports it. */
  country: string | null;
  /** A click that a redirect link recorded on the visitor's way to the page; an invalid id is ignored. */
  click_id: string | null;
  /** The click that the browser stored earlier; an invalid id is ignored. */
  previous_click_id: string | null;
}

/** The response for a click that does not count: it gives the page nothing to store. */
function notCounted(reason: NonNullable<ReportedClick["reason"]>): ReportedClick {
  return { click_id: null, expires_at: null, cookie_duration: null, reason };
}

/**
 * Records a click on an affiliate's link, counted once for each visitor and hour, or returns the one that a redirect
 * link has recorded. A browser that stored a click of this link and hour gets it again, and nothing is written. Clicks
 * by automated requests, and those on links of affiliates who may not refer (banned, not approved, in a campaign
 * without links), get a response and are not counted.
 *
 * @throws DomainError `not_found` for an unknown code
 */
export async function recordClick(
  tracking: Tracking,
  organizationId: string,
  report: ClickReport,
): Promise<ReportedClick> {
  if (report.code === null) return await carryClick(tracking, organizationId, report);
  const found = tracking.findLink(organizationId, report.code);
  const link = found instanceof Promise ? await found : found;
  if (link === null) throw unknownCode();
  const reason = report.automation ?? rejectionOf(link);
  if (reason !== null) return notCounted(reason);
  const click = newClick(tracking, link, report);
  const recorded =
    storedClick(click, report) ??
    (report.click_id === null ? null : await findRecorded(tracking, link, report)) ??
    (await writeClick(tracking, click));
  if (recorded === null) return notCounted("not_approved");
  // Without a pause for the many clicks of campaigns that attribute to the last one.
  const first = link.attribution === "first_click" ? await findFirst(tracking, link, report) : null;
  return viewClick(first ?? recorded, link, click.clicked_at);
}

/**
 * The click that a visitor's browser brings from another domain of the organization, as long as it counts. Nothing is
 * recorded. A click that the browser already has here stays if it is newer or, in a campaign with first-click
 * attribution, still counts.
 */
async function carryClick(
  tracking: Tracking,
  organizationId: string,
  report: ClickReport,
): Promise<ReportedClick> {
  const { click_id, previous_click_id, automation } = report;
  if (automation !== null) return notCounted(automation);
  const carried = await findCounting(tracking, organizationId, click_id);
  if (carried === null) return notCounted("unknown_click");
  const previous = await findCounting(tracking, organizationId, previous_click_id);
  const stays =
    previous !== null &&
    (previous.click.clicked_at > carried.click.clicked_at ||
      (carried.link.attribution === "first_click" && previous.link.campaign_id === carried.link.campaign_id));
  const { click, link } = stays ? previous : carried;
  return viewClick(click, link, new Date());
}

interface CountingClick {
  click: ClickRow;
  link: LinkCodeRow;
}

/** A click that has not expired, with its link, of an affiliate that may refer. */
async function findCounting(
  { database, findLink }: Tracking,
  organizationId: string,
  click_id: string | null,
): Promise<CountingClick | null> {
  if (click_id === null || !isId(click_id)) return null;
  const click = await findClick(database, organizationId, click_id);
  const link = click === null ? null : await findLink(organizationId, click.code);
  if (click === null || link === null || link.affiliate_id !== click.affiliate_id) return null;
  const counts = rejectionOf(link) === null && expiryOf(click, link.cookie_duration) > new Date();
  return counts ? { click, link } : null;
}

/**
 * Writes a click, or shares the visitor's last one on the link after too many in the hour; null: its affiliate may no
 * longer refer.
 *
 * @throws DomainError `rate_limited`, immediately, when the organization has exceeded its clicks per minute
 */
export function writeClick(tracking: Tracking, click: NewClick): Promise<RecordedClick | null> {
  return tracking.writeOrShare(click, () => {
    const retry_after_seconds = tracking.budgets.clicks.take(click.organization_id);
    if (retry_after_seconds === null) return tracking.write(click);
    throw new DomainError("rate_limited", {
      limit: "clicks",
      message: "Too many clicks for this organization. Try again in a minute.",
      retry_after_seconds,
    });
  });
}

/** A click at the current time. */
export function newClick(
  { visitor_key, network_key }: Tracking,
  { organization_id, affiliate_id, code, records_networks }: LinkCodeRow,
  {
    visitor,
    landing_url,
    referrer,
    sub_id,
    country,
  }: Pick<ClickReport, "visitor" | "landing_url" | "referrer" | "sub_id" | "country">,
): NewClick {
  const clicked_at = new Date();
  return identifyClick({
    organization_id,
    affiliate_id,
    code,
    visitor_hash: hashVisitor(visitor_key, visitor, clicked_at),
    network_hash: records_networks
      ? hashDailyNetwork(network_key, { organization_id, network: visitor.network }, clicked_at)
      : null,
    landing_url,
    referrer,
    sub_id,
    country,
    clicked_at,
  });
}

function unknownCode(): DomainError {
  return new DomainError("not_found", { message: "No affiliate of the organization has this code." });
}

/**
 * Valid on the way from a redirect link to its page, so that people who share the page's address later share no click.
 */
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

/**
 * The click that a browser stored, if it is on a link of the same campaign and still counts. Null with last-click attribution: the new
 * one replaces it.
 */
export async function findFirst(
  { database }: Tracking,
  { organization_id, campaign_id, cookie_duration, attribution }: LinkCodeRow,
  { previous_click_id }: Pick<ClickReport, "previous_click_id">,
): Promise<ClickRow | null> {
  if (attribution !== "first_click") return null;
  if (previous_click_id === null || !isId(previous_click_id)) return null;
  const click = await findClick(database, organization_id, previous_click_id);
  if (click === null || expiryOf(click, cookie_duration) <= new Date()) return null;
  const affiliate = await findAffiliate(database, organization_id, click.affiliate_id);
  const may_refer = affiliate?.approved === true && !affiliate.banned;
  return may_refer && affiliate.campaign.id === campaign_id ? click : null;
}

const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;

function viewClick(click: RecordedClick, { cookie_duration }: LinkCodeRow, now: Date): ReportedClick {
  const expires_at = expiryOf(click, cookie_duration);
  return {
    click_id: click.id,
    expires_at: expires_at.toISOString(),
    cookie_duration: Math.ceil((expires_at.getTime() - now.getTime()) / DAY_MILLISECONDS),
    reason: null,
  };
}
