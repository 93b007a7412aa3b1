/*
 * The script that an organization's pages load. It records the affiliate who referred a visitor, stores the
 * click in a cookie, and passes it to the checkout. Errors are silent, since the page belongs to the
 * organization.
 */
import { readCookie, storeCookie } from "./cookie.ts";
import { isRepeated, readLanding } from "./landing.ts";
import { readSettings, type ScriptSettings } from "./settings.ts";
import { fillStripe } from "./stripe.ts";

/** `window.findersfee`. Before the script loads, a snippet in the page queues calls in `q`. */
interface PublicApi {
  /** The click id for a checkout; null when the visitor was not referred. */
  clickId: string | null;
  /** Reports a sign-up. A customer id in place of the options is ignored. */
  refer(email: string, options?: string | { signature?: string }): Promise<void>;
  q?: Iterable<Parameters<PublicApi["refer"]>>;
}

declare global {
  interface Window {
    findersfee?: PublicApi;
  }
  interface Document {
    prerendering?: boolean;
  }
  interface Navigator {
    globalPrivacyControl?: boolean;
  }
}

function start(): void {
  const settings = readSettings();
  if (!settings) return;
  const api: Partial<PublicApi> = window.findersfee ?? {};
  // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
  const recorded = mayTrack(settings) ? recordVisit(settings, api).catch(ignore) : Promise.resolve();
  const refer: PublicApi["refer"] = (email, options) =>
    // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
    recorded
      .then(() => signUp(settings, api.clickId, { ...(typeof options === "object" && options), email }))
      .catch(ignore);
  window.findersfee = Object.assign(api, { clickId: api.clickId ?? null, refer });
  for (const call of api.q ?? []) refer(...call);
}

function mayTrack({ respect_dnt }: ScriptSettings): boolean {
  return !respect_dnt || (navigator.doNotTrack !== "1" && !navigator.globalPrivacyControl);
}

/** Uses the stored click, then the new one if the visitor followed an affiliate link to this page. */
async function recordVisit(settings: ScriptSettings, api: Partial<PublicApi>): Promise<void> {
  const stored = readCookie();
  const applyClick = (click_id: string) => {
    api.clickId = click_id;
    fillStripe(click_id);
  };
  if (stored) applyClick(stored);
  const landing = readLanding(settings.parameter);
  if (!landing || (stored && isRepeated())) return;
  const { click_id, cookie_duration } = await send(settings, "click", {
    ...landing,
    previous_click_id: stored || undefined,
    // Omits the query and the hash, which may be private.
    url: (location.origin + location.pathname).slice(0, 500),
    referrer: document.referrer.slice(0, 500),
  });
  if (!click_id) return;
  storeCookie(click_id, cookie_duration);
  applyClick(click_id);
}

async function signUp(
  settings: ScriptSettings,
  click_id: string | null | undefined,
  { email, signature }: { email: string; signature?: string },
): Promise<void> {
  if (click_id) await send(settings, "signup", { click_id, email, signature });
}

/** Posts JSON as text, which needs no CORS preflight. The request outlives the page. */
async function send({ key, source }: ScriptSettings, name: string, body: object) {
  const response = await fetch(new URL(`track/${name}`, source), {
    method: "POST",
    body: JSON.stringify({ key, ...body }),
    keepalive: true,
    credentials: "omit",
  });
  return (await response.json()).data;
}

function ignore(): void {}

function startSafely(): void {
  // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
  try {
    start();
  } catch {}
}

// A prerendered page has not been visited yet.
if (document.prerendering) document.addEventListener("prerenderingchange", startSafely, { once: true });
else startSafely();
