import { randomInt } from "node:crypto";
import type { Issue } from "@findersfee/contract/errors";
import { latinWords } from "@findersfee/contract/latin-letters";
import { type CodeKind, takenCodes } from "@findersfee/database/affiliates/codes";
import type { Connection } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import type { CampaignRow } from "@findersfee/database/rows";

const MAX_NAME_LENGTH = 40;
/** Without 0, 1, i, l and o, because codes are read aloud and typed. */
const SUFFIX_CHARACTERS = "abcdefghjkmnpqrstuvwxyz23456789";
const SUFFIX_LENGTH = 4;

interface Person {
  first_name: string;
  last_name: string;
  email: string;
}

/** The validation issue of a promo code for an affiliate in a campaign without promo codes. */
export function promoCodeIssues(promo_code: string | undefined, { code_mode }: CampaignRow): Issue[] {
  if (promo_code === undefined || code_mode !== "link") return [];
  return [{ path: "promo_code", message: "The campaign has no promo codes, only links." }];
}

/** The code suggested by a name: `jane-doe` for a link, `JANEDOE` for a promo code. */
function codeFromName(kind: CodeKind, { first_name, last_name, email }: Person): string {
  const named = latinWords(`${first_name} ${last_name}`);
  const parts = named.length > 0 ? named : latinWords(email.split("@")[0] ?? "");
  const separator = kind === "link" ? "-" : "";
  const code = parts.join(separator).slice(0, MAX_NAME_LENGTH).replace(/-$/, "");
  const long_enough = code.length >= 2 ? code : `${code}${randomSuffix()}`;
  return kind === "link" ? long_enough : long_enough.toUpperCase();
}

/** Returns a code from the name that is free in the organization. A concurrent request may still take it first. */
export async function freeCode(
  sql: Connection,
  organizationId: string,
  { kind, person }: { kind: CodeKind; person: Person },
): Promise<string> {
  const wanted = codeFromName(kind, person);
  const candidates = [wanted, ...Array.from({ length: 8 }, () => withSuffix(kind, wanted))];
  const taken = await takenCodes(sql, organizationId, { kind, codes: candidates });
  return candidates.find((code) => !taken.has(lowerCase(code))) ?? withSuffix(kind, wanted);
}

function withSuffix(kind: CodeKind, code: string): string {
  return kind === "link" ? `${code}-${randomSuffix()}` : `${code}${randomSuffix().toUpperCase()}`;
}

function randomSuffix(): string {
  return Array.from({ length: SUFFIX_LENGTH }, () =>
    SUFFIX_CHARACTERS.charAt(randomInt(SUFFIX_CHARACTERS.length)),
  ).join("");
}
