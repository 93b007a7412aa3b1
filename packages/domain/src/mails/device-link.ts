import { greeting, type MailContent, paragraph } from "./content.ts";

/** The mail with the link that makes a browser known to a person's account. */
export function deviceLink({ user_name, url }: { user_name: string; url: string }): MailContent {
  return {
    subject: "Confirm your browser",
    heading: "Confirm your browser",
    blocks: [
      greeting({ first_name: user_name }),
      paragraph(
        "Many wrong passwords were tried with your email, so browsers that your account doesn't know can't sign in with a password. To sign in, open this link in the browser you want to use. You still need your password.",
      ),
      { kind: "link", label: "Confirm this browser", url },
      paragraph("The link works once and expires in an hour."),
    ],
    footer: [
      paragraph("If you didn't ask for it, ignore this email. Nobody can sign in with this link alone."),
    ],
  };
}
