import { greeting, type MailContent, paragraph } from "./content.ts";

/** The mail with the link by which a person chooses a new password. */
export function passwordReset({ user_name, url }: { user_name: string; url: string }): MailContent {
  return {
    subject: "Choose a new password",
    heading: "Choose a new password",
    blocks: [
      greeting({ first_name: user_name }),
      paragraph("Someone asked for a new password for your account."),
      { kind: "link", label: "Choose a new password", url },
      paragraph("The link works once and expires in an hour. A new password ends all your sessions."),
    ],
    footer: [paragraph("If this wasn't you, ignore this email. Your password stays the same.")],
  };
}
