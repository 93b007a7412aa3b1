import { findAffiliateByEmail } from "@findersfee/database/affiliates/affiliates";
import { violatedUnique } from "@findersfee/database/postgres/errors";
import type { Context } from "../context.ts";
import { DomainError } from "../errors.ts";

/** Whether a write failed because another affiliate has one of its codes. */
export function isCodeTaken(error: unknown): boolean {
  return violatedUnique(error) === "affiliate_codes_code";
}

/** Maps a failed write of an affiliate to `affiliate_exists`, `code_taken`, or the error itself. */
export async function explainConflict(
  { database, organization }: Context,
  error: unknown,
  written: { campaign_id: string; email: string } | null,
): Promise<unknown> {
  if (isCodeTaken(error)) return new DomainError("code_taken");
  if (violatedUnique(error) !== "affiliates_campaign_email") return error;
  const affiliate_id = written && (await findAffiliateByEmail(database, organization.id, written));
  return new DomainError("affiliate_exists", affiliate_id === null ? {} : { details: { affiliate_id } });
}
