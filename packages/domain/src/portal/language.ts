import type { PortalLanguage } from "@findersfee/database/mails/language";
import { setLanguageOfOneOrganization, setPortalLanguage } from "@findersfee/database/portal/joining";
import type { Connection } from "@findersfee/database/postgres/connect";

/**
 * Stores the language of the person's pages and mails, in all programs. A session of one organization's host
 * name changes nothing for a person who is in programs of others, but the pages in that browser get the
 * language.
 */
export async function setLanguage(
  sql: Connection,
  { email, limited_to: organization_id }: { email: string; limited_to: string | null },
  language: PortalLanguage,
): Promise<void> {
  if (organization_id === null) await setPortalLanguage(sql, { email, language });
  else await setLanguageOfOneOrganization(sql, { email, language, organization_id });
}
