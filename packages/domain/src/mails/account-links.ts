import { findMailedInvitation } from "@findersfee/database/identity/invitations";
import { findMailedVerification } from "@findersfee/database/identity/verifications";
import type { AccountLinkMail, DueMail } from "@findersfee/database/mails/mails";
import { findMailedPortalCode } from "@findersfee/database/portal/codes";
import type { Connection } from "@findersfee/database/postgres/connect";
import { hostUrl } from "../host-url.ts";
import { linkTo } from "../identity/accounts/links.ts";
import { mailedToken } from "../identity/accounts/secret-token.ts";
import { mailedCode } from "../portal/mailed-code.ts";
import type { SecretsKey } from "../secrets/secrets.ts";
import { composePayoutEmailCode } from "./compose-payout-email.ts";
import type { MailContent } from "./content.ts";
import { deviceLink } from "./device-link.ts";
import { type Dropped, NO_PUBLIC_URL } from "./dropped.ts";
import { emailConfirmation } from "./email-confirmation.ts";
import { invitation } from "./invitation.ts";
import { passwordReset } from "./password-reset.ts";
import { portalCode } from "./portal-code.ts";

interface Composing {
  sql: Connection;
  secrets_key: SecretsKey;
  /** The service's address; null: links cannot be created. */
  public_url: string | null;
}

/** Composes the mails with a link that only its recipient may use. The link is computed: no table has it. */
export async function composeAccountLink(
  { sql, secrets_key, public_url }: Composing,
  mail: DueMail & AccountLinkMail,
): Promise<MailContent | Dropped> {
  if (mail.kind === "payout_email_code") {
    const content = await composePayoutEmailCode({ sql, secrets_key }, mail);
    return "dropped" in content ? content : { ...content, sender: mail.organization_name };
  }
  if (public_url === null) return NO_PUBLIC_URL;
  const { organization_id, organization_name, about, recipient } = mail;
  if (mail.kind === "portal_code") {
    const found = await findMailedPortalCode(sql, { id: about, email: recipient, organization_id });
    if (found === null) return { dropped: "the code was used or has expired" };
    const { limited_to, portal_host, campaign_name, is_named, language } = found;
    if (limited_to !== null && portal_host === null)
      return {
        dropped: "the organization's custom domain was removed, and the code is accepted there alone",
      };
    const base_url = hostUrl(public_url, portal_host);
    const url = linkTo(base_url, "portal", mailedToken(secrets_key, "portal", about));
    const code = mailedCode(secrets_key, about);
    const named = is_named ? organization_name : null;
    const content = portalCode({ organization_name: named, campaign_name, code, url }, language);
    return named === null ? content : { ...content, sender: named };
  }
  if (mail.kind === "invitation") {
    const found = await findMailedInvitation(sql, organization_id, about);
    if (found === null) return { dropped: "the invitation was accepted or revoked, or has expired" };
    const url = linkTo(public_url, "invitation", mailedToken(secrets_key, "invitation", about));
    return invitation({ ...found, organization_name, url });
  }
  const found = await findMailedVerification(sql, { id: about, email: recipient });
  if (found === null) return { dropped: "the link was used or has expired" };
  const kind = LINK_KINDS[mail.kind];
  const url = linkTo(public_url, kind, mailedToken(secrets_key, kind, about));
  const { user_name } = found;
  switch (mail.kind) {
    case "password_reset":
      return passwordReset({ user_name, url });
    case "device_link":
      return deviceLink({ user_name, url });
    case "email_confirmation":
      return emailConfirmation({ user_name, url });
  }
}

const LINK_KINDS = {
  password_reset: "password_reset",
  device_link: "device",
  email_confirmation: "email",
} as const;
