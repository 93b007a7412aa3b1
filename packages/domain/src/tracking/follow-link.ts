import { cutAddress } from "@findersfee/contract/tracking";
import { linkUrl } from "../affiliates/view.ts";
import { DomainError } from "../errors.ts";
import { mayRefer } from "./links.ts";
import type { NewClick, RecordedClick } from "./recent-clicks.ts";
import { type ClickReport, newClick, unknownCode, writeClick } from "./record-click.ts";
import type { Tracking } from "./tracking.ts";

/**
 * Returns the target of a redirect link: the page of the affiliate's campaign, with the affiliate's code and the click,
 * which is recorded here, in its query. Nothing from the request goes into the address. If the click does not count, or
 * the organization has exceeded its clicks per minute, the query has the code alone.
 *
 * @throws DomainError `not_found` for an unknown code, or one of a campaign without a page
 */
export async function followLink(
  tracking: Tracking,
  organizationId: string,
  {
    code,
    visitor,
    counts,
    referrer,
    sub_id,
  }: Pick<ClickReport, "code" | "visitor" | "counts" | "referrer" | "sub_id">,
): Promise<string> {
  const found = tracking.findLink(organizationId, code);
  const link = found instanceof Promise ? await found : found;
  if (link === null || link.website_url === null) throw unknownCode();
  const landing_url = linkUrl(link.website_url, link.code);
  if (!counts || !mayRefer(link)) return landing_url;
  const click = newClick(tracking, link, { visitor, landing_url: cutAddress(landing_url), referrer, sub_id });
  const recorded = await writeWithinBudget(tracking, click);
  return recorded === null ? landing_url : linkUrl(link.website_url, link.code, recorded.id);
}

/** The visitor reaches the page in any case. */
async function writeWithinBudget(tracking: Tracking, click: NewClick): Promise<RecordedClick | null> {
  try {
    return await writeClick(tracking, click);
  } catch (error) {
    if (error instanceof DomainError && error.code === "rate_limited") return null;
    throw error;
  }
}
