import type { DueMail } from "@findersfee/database/mails/mails";
import type { ComposedMail } from "@findersfee/domain/mails/compose";
import type { Mail } from "./send-mail.ts";

/** A composed mail as the mail server gets it. */
export function mailMessage(
  { id, organization_id }: Pick<DueMail, "id" | "organization_id">,
  { to, subject, text, html, unsubscribe_url, reply_to, sender }: ComposedMail,
): Mail {
  return {
    id,
    organization_id,
    to: [to],
    sender,
    subject,
    text,
    html,
    headers: {
      // No answering machine is to answer (RFC 3834).
      "Auto-Submitted": "auto-generated",
      ...(reply_to === null ? {} : { "Reply-To": reply_to }),
      ...unsubscribeHeaders(unsubscribe_url),
    },
  };
}

/** For the unsubscribe button of mail programs: one click, if the address allows it (RFC 8058, 3.1). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (url === null) return {};
  const one_click = { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" };
  return { "List-Unsubscribe": `<${url}>`, ...(url.startsWith("https:") ? one_click : {}) };
}
