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

/** The affiliate's portal, in its program; null: its address is unknown. */
export function portalLink({ public_url, portal_host, affiliate_id }: Place): string | null {
  return public_url === null ? null : `${hostUrl(public_url, portal_host)}/portal?program=${affiliate_id}`;
}

/** A mail with a link to the affiliate's portal at its end, in the program that the mail is about; without one if it is unknown. */
export function withPortalLink(content: MailContent, place: Place, language: MailLanguage): MailContent {
  const url = portalLink(place);
  if (url === null) return content;
  return { ...content, blocks: [...content.blocks, { kind: "link", label: labelIn(language), url }] };
}
