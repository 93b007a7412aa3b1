/*
 * The script that an organization's pages load. It records whom a visitor was referred by, keeps the click in
 * a cookie, and hands it to the checkout. Whatever fails in it fails silently: the page is not ours.
 */
import { keepCookie, readCookie } from "./cookie.ts";
import { isRepeated, readLanding } from "./landing.ts";
import { readSettings, type Settings } from "./settings.ts";
import { fillStripe } from "./stripe.ts";

/** `window.findersfee`. Before the script has loaded, a snippet of the page keeps the calls in `q`. */
interface Face {
  /** The click that a checkout should carry; null: nobody referred the visitor. */
  clickId: string | null;
  /** Reports a sign-up. A customer's id in place of the options is ignored. */
  refer(email: string, options?: string | { signature?: string }): Promise<void>;
  q?: Iterable<Parameters<Face["refer"]>>;
}

declare global {
  interface Window {
    findersfee?: Face;
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
  const face: Partial<Face> = window.findersfee ?? {};
  const landed = isWanted(settings) ? land(settings, face).catch(ignore) : Promise.resolve();
  const refer: Face["refer"] = (email, options) =>
    landed
      .then(() => signUp(settings, face.clickId, { ...(typeof options === "object" && options), email }))
      .catch(ignore);
  window.findersfee = Object.assign(face, { clickId: face.clickId ?? null, refer });
  for (const call of face.q ?? []) refer(...call);
}

function isWanted({ respect_dnt }: Settings): boolean {
  return !respect_dnt || (navigator.doNotTrack !== "1" && !navigator.globalPrivacyControl);
}

/** Takes the click that is known, and then the newer one that the visitor has just made. */
async function land(settings: Settings, face: Partial<Face>): Promise<void> {
  const known = readCookie();
  const take = (click_id: string) => {
    face.clickId = click_id;
    fillStripe(click_id);
  };
  if (known) take(known);
  const landing = readLanding(settings.parameter);
  if (!landing || (known && isRepeated())) return;
  const { click_id, cookie_duration } = await send(settings, "click", {
    ...landing,
    previous_click_id: known || undefined,
    // Neither query nor hash: they are nobody's business.
    url: (location.origin + location.pathname).slice(0, 500),
    referrer: document.referrer.slice(0, 500),
  });
  if (!click_id) return;
  keepCookie(click_id, cookie_duration);
  take(click_id);
}

async function signUp(
  settings: Settings,
  click_id: string | null | undefined,
  { email, signature }: { email: string; signature?: string },
): Promise<void> {
  if (click_id) await send(settings, "signup", { click_id, email, signature });
}

/** Posts text, for which browsers ask no leave beforehand, and which outlives the page. */
async function send({ key, source }: Settings, name: string, body: object) {
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
  try {
    start();
  } catch {
    // The page goes on without us.
  }
}

// A page that is drawn ahead has not been visited yet.
if (document.prerendering) document.addEventListener("prerenderingchange", startSafely, { once: true });
else startSafely();
