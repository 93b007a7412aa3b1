import type { Connection } from "../postgres/connect.ts";
import { statement } from "../postgres/statement.ts";

/** The languages of the portal and of mails to affiliates. */
export type PortalLanguage = "en" | "de";

/** SQL: the language of mails to an address (an expression in lower case), for an organization: the person's, else its first. */
export function mailLanguage({ email, organization }: { email: string; organization: string }): string {
  return `coalesce((
    select account.language from portal_accounts account where account.email = ${email}
  ), ${organization}.languages[1])`;
}

const OF_AFFILIATE = statement<{ language: PortalLanguage }, "organization_id" | "affiliate_id">(`
  select ${mailLanguage({ email: "lower(affiliate.email)", organization: "organization" })} as language
  from affiliates affiliate join organizations organization on organization.id = affiliate.organization_id
  where affiliate.organization_id = :organization_id::uuid and affiliate.id = :affiliate_id::uuid`);

/** Returns the language of mails to an affiliate; null: there is no such affiliate. */
export async function findAffiliateLanguage(
  sql: Connection,
  organizationId: string,
  affiliateId: string,
): Promise<PortalLanguage | null> {
  const [row] = await OF_AFFILIATE.run(sql, { organization_id: organizationId, affiliate_id: affiliateId });
  return row?.language ?? null;
}
