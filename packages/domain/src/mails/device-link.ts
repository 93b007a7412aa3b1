import { greeting, type MailContent, paragraph } from "./content.ts";

/** The mail with the link that makes a browser known to a person's account. */
export function deviceLink({ user_name, url }: { user_name: string; url: string }): MailContent {
  return {
    subject: "Confirm your browser",
    heading: "Confirm your browser",
    blocks: [
      greeting({ first_name: user_name }),
      paragraph(
        "Many wrong passwords were tried with your email, so browsers that your account does not know cannot sign in with a password. Open this link in the browser in which you want to sign in. You still need your password.",
      ),
      { kind: "link", label: "Confirm this browser", url },
      paragraph("The link works once, within an hour."),
    ],
    footer: [
      paragraph("If you did not ask for it, ignore this email. Nobody can sign in with this link alone."),
    ],
  };
}
