import type {
  MailedSecurityEventRow,
  SecurityEventKind,
} from "@findersfee/database/identity/security-events";
import { showTime } from "./amounts.ts";
import { facts, greeting, type MailContent, paragraph } from "./content.ts";

type Notice = Pick<
  MailedSecurityEventRow,
  "detail" | "ip_address" | "user_agent" | "created_at" | "user_name"
>;

/** The event, by its kind. Kinds without a text are not mailed. */
const SUBJECTS: Partial<Record<SecurityEventKind, string>> = {
  signed_in_on_new_device: "New sign-in to your account",
  signed_in_from_new_network: "New sign-in to your account",
  password_changed: "Your password was changed",
  password_reset: "Your password was reset",
  second_factor_added: "An authenticator app was added to your account",
  second_factor_removed: "The authenticator app was removed from your account",
  recovery_codes_replaced: "Your recovery codes were replaced",
  passkey_added: "A passkey was added to your account",
  passkey_removed: "A passkey was removed from your account",
  single_sign_on_changed: "You changed the single sign-on of your organization",
  credentials_removed: "Your password, passkeys and authenticator app were removed",
  policies_changed: "Security policies of your organization were changed",
  // Only for sessions that another person ended.
  sessions_ended: "An owner signed you out",
};

const IF_IT_WAS_NOT_YOU = [
  paragraph("If this was you, you don't need to do anything."),
  paragraph(
    "If it wasn't, someone has access to your account. Choose a new password with “Forgot your password?” on the sign-in page, which ends all sessions. Then check the passkeys and the authenticator app in your account.",
  ),
];

const SIGN_IN_AGAIN = [
  paragraph(
    "An owner of an organization that you're a member of ended one or all of your sessions. Sign in again to continue.",
  ),
];

/** The mail to a person about the security of their account; null: such events are not mailed. */
export function securityNotice(
  kind: SecurityEventKind,
  { detail, ip_address, user_agent, created_at, user_name }: Notice,
): MailContent | null {
  const subject = SUBJECTS[kind];
  if (subject === undefined) return null;
  const passkey = kind.startsWith("passkey_") ? detail : null;
  return {
    subject,
    heading: subject,
    blocks: [
      greeting({ first_name: user_name }),
      facts({
        // The account may belong to several organizations.
        Time: showTime(created_at, { language: "en", time_zone: "UTC" }),
        Passkey: passkey,
        Address: ip_address,
        Browser: user_agent,
      }),
      ...(kind === "sessions_ended" ? SIGN_IN_AGAIN : IF_IT_WAS_NOT_YOU),
    ],
    footer: [paragraph("You're receiving this email because it's about the security of your account.")],
  };
}
