import { greeting, type MailContent, paragraph } from "./content.ts";

/** The mail with the link by which a person confirms that they read this address. */
export function emailConfirmation({ user_name, url }: { user_name: string; url: string }): MailContent {
  return {
    subject: "Confirm your email address",
    heading: "Confirm your email address",
    blocks: [
      greeting({ first_name: user_name }),
      paragraph("Please confirm that this is your email address. You need to be signed in."),
      { kind: "link", label: "Confirm the address", url },
      paragraph("The link works once and expires in 3 days."),
    ],
    footer: [
      paragraph(
        "If you didn't create an account, don't confirm: someone else created one with your address.",
      ),
    ],
  };
}
