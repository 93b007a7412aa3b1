import { findMailedPayoutEmail } from "@findersfee/database/portal/payout-email-changes";
import type { Connection } from "@findersfee/database/postgres/connect";
import { hostUrl } from "../host-url.ts";
import { mailedCode } from "../portal/mailed-code.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import type { MailContent } from "./content.ts";
import type { Dropped } from "./dropped.ts";
import { payoutEmailChanged } from "./payout-email-changed.ts";
import { payoutEmailCode, payoutEmailOwnerCode } from "./payout-email-code.ts";

interface Mail {
  organization_id: string;
  organization_name: string;
  support_email: string | null;
  /** The time zone of the times in the mail. */
  time_zone: string;
  /** The id of the change. */
  about: string;
}

/** The mail with the code that confirms a new payout email. */
export async function composePayoutEmailCode(
  { sql, secrets_key }: { sql: Connection; secrets_key: SecretsKey },
  { organization_id, organization_name, about, recipient }: Mail & { recipient: string },
): Promise<MailContent | Dropped> {
  const found = await findMailedPayoutEmail(sql, organization_id, about);
  if (found === null || !found.is_open) return { dropped: "the code was used or has expired" };
  if (recipient.toLowerCase() !== found.email.toLowerCase()) {
    const code = mailedCode(secrets_key, about, "sign-in codes of payout emails");
    return payoutEmailOwnerCode({ organization_name, code, email: found.email }, found.language);
  }
  const code = mailedCode(secrets_key, about, "payout email codes");
  return payoutEmailCode({ organization_name, code }, found.language);
}

/** The mail to a former address about a new payout email. */
export async function composePayoutEmailChanged(
  { sql, public_url }: { sql: Connection; public_url: string | null },
  { organization_id, organization_name, support_email, time_zone, about }: Mail,
): Promise<MailContent | Dropped> {
  const found = await findMailedPayoutEmail(sql, organization_id, about);
  if (found === null || found.used_at === null) return { dropped: "the change is not stored any more" };
  return payoutEmailChanged(
    {
      ...found,
      organization_name,
      support_email,
      changed_at: found.used_at,
      time_zone,
      url: public_url === null ? null : `${hostUrl(public_url, found.portal_host)}/portal/settings`,
    },
    found.language,
  );
}
