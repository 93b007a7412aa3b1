/*
 * The second script, for pages with a discount for visitors who come by a link. It asks for the discount of
 * the tracking script's click, adds the promo code to Payment Links, and shows `<findersfee-discount>`.
 * Errors are silent, since the page belongs to the organization.
 */
import { type ClickDiscount, createApi } from "../public-api.ts";
import { send } from "../settings.ts";
import { defineBanner, showInBanners } from "./banner.ts";
import { fillPaymentLinks } from "./payment-links.ts";

/** An answer for a click of a page. */
interface Asked {
  click_id: string;
  answer: Promise<ClickDiscount | null>;
}

let asked: Asked | null = null;

function start(): void {
  window.findersfee ??= createApi();
  const api = window.findersfee;
  api.discount = readDiscount;
  const { consent } = api;
  if (consent)
    api.consent = async (is_given) => {
      const click_id = await consent(is_given);
      await refresh();
      return click_id;
    };
  defineBanner();
  void refresh();
}

/** Links that have the code keep it, as they keep the click. */
async function refresh(): Promise<void> {
  const found = await readDiscount();
  if (found?.discount) fillPaymentLinks(found.discount.code);
  showInBanners(found, asked?.click_id ?? "");
}

/** The discount of the visitor's click; null: no click, or no answer. Never rejects. */
async function readDiscount(): Promise<ClickDiscount | null> {
  const click_id = await readClick();
  if (!click_id) return null;
  if (asked?.click_id !== click_id) asked = { click_id, answer: ask(click_id) };
  const answer = await asked.answer;
  // The next call asks again.
  if (!answer) asked = null;
  return answer;
}

async function ask(click_id: string): Promise<ClickDiscount | null> {
  // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
  try {
    return (await send("discount", { click_id }, () => false)) ?? null;
  } catch {
    return null;
  }
}

/** The click once the tracking script has recorded the visit; null without one, and after three seconds at the latest. */
function readClick(): Promise<string | null> {
  return new Promise((resolve) => {
    window.findersfee?.q.push([(click_id) => resolve(click_id as string | null)]);
    setTimeout(resolve, 3_000, null);
  });
}

// biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
try {
  start();
} catch {}
