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

/** Tries of a request, with 1 to 2 s before the second one and twice as long before each further one. */
const TRIES = 5;

/**
 * Posts JSON as text, which needs no CORS preflight. The request outlives the page. While the service is away, it is repeated: a
 * visitor's click and sign-up count once. `mayRepeat` is called before each further try; false ends them. Undefined: the service
 * refused it, or is away.
 */
export async function send(name: string, body: object, mayRepeat: () => unknown) {
  for (let tries = 1; ; tries++) {
    // Its endpoints are relative to the script.
    // biome-ignore lint/plugin/swallowed-failure: another try follows, and errors must not affect the page
    const response = await fetch(new URL(`track/${name}`, tag?.src), {
      method: "POST",
      body: JSON.stringify({ key, ...body }),
      keepalive: true,
      // On the same site, the answer sets the cookie.
      credentials: "include",
    }).catch(() => {});
    if (response && response.status < 500) return (await response.json()).data;
    if (tries === TRIES || !mayRepeat()) return;
    await new Promise((done) => setTimeout(done, 500 * (1 + Math.random()) * 2 ** tries));
    if (!mayRepeat()) return;
  }
}

function listOf(text = ""): string[] {
  return text.match(/[^\s,]+/g) ?? [];
}
