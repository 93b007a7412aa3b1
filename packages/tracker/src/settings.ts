/** The script's own tag. Finds it by its key, since another script may have inserted it; null without one. */
export const tag = document.querySelector<HTMLScriptElement>('script[data-key^="ff_pk_"]');

/** The settings in the tag's attributes. */
const { key, param, domains: domain_list, respectDnt, consent } = tag?.dataset ?? {};

/** The query parameters that carry an affiliate's code. The first one that has a code wins. */
export const parameters = listOf(param || "via");

/** The organization's other domains. Links to them carry the click. */
export const domains = listOf(domain_list?.toLowerCase());

/** Whether nothing may be stored or sent before the visitor consents. */
export const needs_consent = consent != null;

/** Whether the visitor's browser asks not to be tracked, and the organization respects that. */
export const is_opposed =
  respectDnt != null && (navigator.doNotTrack === "1" || navigator.globalPrivacyControl);

/** Posts JSON as text, which needs no CORS preflight. The request outlives the page. */
export async function send(name: string, body: object) {
  // Its endpoints are relative to the script.
  const response = await fetch(new URL(`track/${name}`, tag?.src), {
    method: "POST",
    body: JSON.stringify({ key, ...body }),
    keepalive: true,
    // On the same site, the answer sets the cookie.
    credentials: "include",
  });
  return (await response.json()).data;
}

function listOf(text = ""): string[] {
  return text.match(/[^\s,]+/g) ?? [];
}
