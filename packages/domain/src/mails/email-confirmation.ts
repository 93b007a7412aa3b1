import { greeting, type MailContent, paragraph } from "./content.ts";

/** The mail with the link by which a person confirms that they read this address. */
export function emailConfirmation({ user_name, url }: { user_name: string; url: string }): MailContent {
  return {
    subject: "Confirm your email address",
    heading: "Confirm your email address",
    blocks: [
      greeting({ first_name: user_name }),
      paragraph("Please confirm that this is your address. You need to be signed in."),
      { kind: "link", label: "Confirm the address", url },
      paragraph("The link works once, within 3 days."),
    ],
    footer: [
      paragraph("If you did not make an account, do not confirm: somebody else made one with your address."),
    ],
  };
}
