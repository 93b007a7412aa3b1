import { type MailContent, paragraph } from "./content.ts";

export interface InvitationMail {
  organization_name: string;
  /** Null: the person no longer exists. */
  inviter_name: string | null;
  role: "owner" | "admin" | "viewer";
  url: string;
}

/** The mail with the link by which a person joins an organization. */
export function invitation({ organization_name, inviter_name, role, url }: InvitationMail): MailContent {
  const who = inviter_name ?? "An owner";
  return {
    subject: `${who} invited you to ${organization_name}`,
    heading: `Join ${organization_name}`,
    blocks: [
      paragraph(`${who} invited you to manage the affiliate program of ${organization_name}, as ${role}.`),
      { kind: "link", label: "Accept the invitation", url },
      paragraph("The link works once and expires in 7 days."),
    ],
    footer: [paragraph("If you don't know the sender, ignore this email. Nothing happens unless you click.")],
  };
}
