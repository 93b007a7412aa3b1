import { hostUrl } from "../host-url.ts";
import type { MailContent } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

const labelIn = textsOf({ en: "Your portal", de: "Ihr Portal" });

/** The portal of an affiliate. */
interface Place {
  /** The service's address; null: unknown. */
  public_url: string | null;
  /** The organization's own host name; null: it has none. */
  portal_host: string | null;
  affiliate_id: string;
}

/** A mail with a link to the affiliate's portal at its end, in the program that the mail is about; without one if it is unknown. */
export function withPortalLink(
  content: MailContent,
  { public_url, portal_host, affiliate_id }: Place,
  language: MailLanguage,
): MailContent {
  if (public_url === null) return content;
  const url = `${hostUrl(public_url, portal_host)}/portal?program=${affiliate_id}`;
  return { ...content, blocks: [...content.blocks, { kind: "link", label: labelIn(language), url }] };
}
