import type { Transaction } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";
import type { OwnAffiliate } from "./home.ts";

/** An affiliate that became the person's own. */
export interface AgreedAffiliateRow {
  affiliate_id: string;
  approved: boolean;
  banned: boolean;
  /** The person had said that the invitation is not theirs. */
  was_disowned: boolean;
}

const AGREE = statement<AgreedAffiliateRow, "organization_id" | "email" | "affiliate_id">(`
  with former as (
    select id, disowned_at from affiliates
    where organization_id = :organization_id::uuid and lower(email) = :email::text and agreed_at is null
      and (:affiliate_id::uuid is null or id = :affiliate_id::uuid) and erased_at is null
    order by id for no key update
  )
  update affiliates affiliate set agreed_at = now(), disowned_at = null
  from former
  where affiliate.organization_id = :organization_id::uuid and affiliate.id = former.id
  returning affiliate.id as affiliate_id, affiliate.approved, affiliate.banned,
    former.disowned_at is not null as was_disowned`);

/**
 * Makes an organization's affiliate with a proven address the person's own; without an id, all with the address. Returns those that
 * were not.
 */
export async function agreeToPrograms(
  sql: Transaction,
  person: { organization_id: string; email: string; affiliate_id: string | null },
): Promise<AgreedAffiliateRow[]> {
  return await AGREE.run(sql, person);
}

const DISOWN = statement<object, keyof OwnAffiliate | "email">(`
  update affiliates set disowned_at = now()
  where organization_id = :organization_id::uuid and id = :affiliate_id::uuid and lower(email) = :email::text
    and agreed_at is null and disowned_at is null
  returning id`);

/** Ends an invitation that the person does not want. False: it had ended, or the person has agreed. */
export async function disownProgram(
  sql: Transaction,
  own: OwnAffiliate & { email: string },
): Promise<boolean> {
  return (await DISOWN.run(sql, { ...own })).length > 0;
}
