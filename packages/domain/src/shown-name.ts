import type { CampaignRow } from "@findersfee/database/rows";
import { parse } from "tldts";
import { invalidField } from "./errors.ts";

/** Parts of an address that no name has: a scheme, an `@`, the path of a page. */
const ADDRESS = /:\/\/|@|\bwww\.|\.\p{L}{2,}\//iu;
/** Between words that may be host names. */
const BETWEEN_WORDS = /[^\p{L}\p{N}.-]/u;
/** "Booking.com Partner Program". */
const MAX_WORDS_OF_BRAND = 4;

/** Whether a name contains an address of a page or a mailbox, which mail programs turn into a link. A brand may begin with its domain. */
export function hasAddress(name: string): boolean {
  const text = name.normalize("NFKC");
  const words = text.split(BETWEEN_WORDS).filter((word) => word !== "");
  const hosts = words.filter((word) => {
    const { domain, isIcann } = parse(word);
    return domain !== null && isIcann === true;
  });
  const is_brand = hosts.length === 1 && hosts[0] === words[0] && words.length <= MAX_WORDS_OF_BRAND;
  return ADDRESS.test(text) || (hosts.length > 0 && !is_brand);
}

/**
 * Requires that a name of a person or an organization sends nobody anywhere: mails to strangers contain it.
 *
 * @throws DomainError `invalid_request`
 */
export function requireNoAddress(path: string, name: string | undefined): void {
  if (name === undefined || !hasAddress(name)) return;
  throw invalidField(path, "Must be a name without addresses of pages or mailboxes.");
}

/** The name of an affiliate, as others of its campaign may know it. */
export function shownName(
  { first_name, last_name }: { first_name: string; last_name: string },
  leaderboard: CampaignRow["leaderboard"],
): string {
  const names = [first_name, last_name].map((name) => name.trim()).filter((name) => name !== "");
  if (leaderboard === "names") return names.join(" ");
  return names.map((name) => `${[...name][0]?.toUpperCase()}.`).join(" ");
}

/** The recruit of a line. */
export function viewRecruitOfLine({
  recruit_commission_id,
  recruit_first_name: first_name,
  recruit_last_name: last_name,
  leaderboard,
}: {
  recruit_commission_id: string | null;
  recruit_first_name: string | null;
  recruit_last_name: string | null;
  leaderboard: CampaignRow["leaderboard"];
}): { name: string } | null {
  if (recruit_commission_id === null || first_name === null || last_name === null) return null;
  return { name: nameOfRecruit({ first_name, last_name }, leaderboard) };
}

/** As on the leaderboard; initials, if there is none. */
export function nameOfRecruit(
  name: { first_name: string; last_name: string },
  leaderboard: CampaignRow["leaderboard"],
): string {
  return shownName(name, leaderboard === "names" ? "names" : "initials");
}
