import { type PortalPlace, portalLink } from "../host-url.ts";
import type { MailContent } from "./content.ts";
import { type MailLanguage, textsOf } from "./language.ts";

const labelIn = textsOf({ en: "Your portal", de: "Ihr Portal" });

/** A mail with a link to the affiliate's portal at its end, in the program that the mail is about; without one if it is unknown. */
export function withPortalLink(
  content: MailContent,
  place: PortalPlace,
  language: MailLanguage,
): MailContent {
  const url = portalLink(place);
  if (url === null) return content;
  return { ...content, blocks: [...content.blocks, { kind: "link", label: labelIn(language), url }] };
}
