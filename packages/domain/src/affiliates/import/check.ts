import {
  type CheckImport,
  type ImportCheck,
  importLineInput,
  type WrittenLine,
} from "@findersfee/contract/affiliates/import";
import { ERRORS, type Issue } from "@findersfee/contract/errors";
import { takenCodes } from "@findersfee/database/affiliates/codes";
import { findAffiliatesByEmail } from "@findersfee/database/affiliates/review";
import { findCampaign } from "@findersfee/database/campaigns/campaigns";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { Context } from "../../context.ts";
import { notFound } from "../../errors.ts";
import { promoCodeIssues } from "../codes.ts";
import { listErasedBans } from "../erased-bans.ts";

/** Judges lines of a file as an import would, and writes nothing. Errors: `not_found` (campaign). */
export async function checkImport(
  context: Context,
  { campaign_id, lines }: CheckImport,
): Promise<ImportCheck[]> {
  const { database, organization } = context;
  const valuesOf = (column: string) => lines.flatMap((line) => line[column] ?? []);
  const [campaign, known, bans, links, promos] = await Promise.all([
    findCampaign(database, organization.id, campaign_id),
    findAffiliatesByEmail(database, organization.id, {
      campaign_id,
      emails: valuesOf("email").map(lowerCase),
    }),
    listErasedBans(database, context, [...valuesOf("email"), ...valuesOf("payout_email")]),
    takenCodes(database, organization.id, { kind: "link", codes: valuesOf("ref_code") }),
    takenCodes(database, organization.id, { kind: "promo", codes: valuesOf("promo_code") }),
  ]);
  if (campaign === null) throw notFound("campaign");
  const banned = new Set(bans.map(({ address }) => address));
  const by_email = new Map(known.map(({ id, email }) => [email, id]));
  return lines.map((line) => {
    const affiliate_id = by_email.get(lowerCase(line.email ?? "")) ?? null;
    if (affiliate_id !== null) return { outcome: "exists", affiliate_id, issues: [] };
    const issues = [
      ...schemaIssues(line),
      ...promoCodeIssues(line.promo_code, campaign),
      ...bannedIssues(line, banned),
      ...takenIssue("ref_code", line, links),
      ...takenIssue("promo_code", line, promos),
    ];
    return { outcome: issues.length === 0 ? "new" : "wrong", affiliate_id: null, issues };
  });
}

/** The issues of a line, without the other lines. */
function schemaIssues(line: WrittenLine): Issue[] {
  const { error } = importLineInput.safeParse(line);
  return (error?.issues ?? []).map(({ path, message }) => ({ path: String(path[0] ?? ""), message }));
}

/** Staff decide: they can lift the ban, and import the file again. */
function bannedIssues(line: WrittenLine, banned: ReadonlySet<string>): Issue[] {
  return ["email", "payout_email"]
    .filter((path) => banned.has(line[path] ?? ""))
    .map((path) => ({ path, message: ERRORS.affiliate_banned.message }));
}

function takenIssue(column: string, line: WrittenLine, taken: ReadonlySet<string>): Issue[] {
  const code = line[column];
  if (code === undefined || !taken.has(lowerCase(code))) return [];
  return [{ path: column, message: "Another affiliate has this code." }];
}
