import { type MailContent, paragraph } from "./content.ts";

/** The mail with the code by which an affiliate signs in to the portal. */
export function portalCode({
  organization_name,
  code,
  url,
}: {
  organization_name: string;
  code: string;
  url: string;
}): MailContent {
  return {
    // The code is first, so that a notification on a phone shows it.
    subject: `${code} is your code for ${organization_name}`,
    heading: code,
    blocks: [
      paragraph(
        `Enter this code to sign in to ${organization_name}'s affiliate portal. It is valid for 15 minutes.`,
      ),
      { kind: "link", label: "Sign in without the code", url },
    ],
    footer: [paragraph("If you did not ask for it, ignore this email. Nobody can sign in without the code.")],
  };
}
