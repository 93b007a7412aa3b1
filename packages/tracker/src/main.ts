/*
 * The script that an organization's pages load. It records the affiliate who referred a visitor, stores the
 * click in a cookie, and passes it to the checkout. Errors are silent, since the page belongs to the
 * organization.
 */
import { readCookie, storeCookie } from "./cookie.ts";
import { carriedClick, isRepeated, readLanding } from "./landing.ts";
import { type AddParameters, carryInLinks } from "./links.ts";
import { type Call, createApi, type PublicApi } from "./public-api.ts";
import { is_opposed, needs_consent, parameters, send, tag } from "./settings.ts";
import { fillStripe } from "./stripe.ts";

let api: PublicApi;
let landing: ReturnType<typeof readLanding>;
/** Null: the visitor has not decided. */
let is_allowed = needs_consent ? null : true;
let is_recorded = false;
/** Whether recording it takes further tries, which calls without an email do not wait for. */
let is_late = false;

function start(): void {
  if (!tag) return;
  window.findersfee ??= createApi();
  api = window.findersfee;
  api.clickId ??= null;
  const left = needs_consent ? null : restoreVisit();
  landing = readLanding(api.href) ?? readLanding(left?.href ?? "");
  const calls = api.q.splice(0).concat(left?.q ?? []);
  api.q.push = (call) => {
    api.q[api.q.length] = call;
    const [, , decision] = call;
    if (typeof decision === "boolean") decide(decision);
    if (is_recorded || is_late) answerCalls();
    return api.q.length;
  };
  for (const call of calls) api.q.push(call);
  if (!needs_consent) void record();
  carryInLinks(addParameters);
}

/** The last page, if the visitor left it before its click was recorded, with the sign-ups there. It is deleted. */
function restoreVisit(): { href: string; q: Call[] } | undefined {
  // biome-ignore lint/plugin/swallowed-failure: a browser that blocks cookies blocks this, too
  try {
    const text = sessionStorage.findersfee;
    delete sessionStorage.findersfee;
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Before the visitor decides, nothing may be stored, so links carry the code to the next page. */
const addParameters: AddParameters = (add, is_own_host) => {
  if (api.clickId) {
    if (!is_own_host) add("ff_click", carriedClick(api.clickId));
  } else if (is_allowed === null && landing?.code) {
    add(parameters[0] as string, landing.code);
    if (landing.sub) add("sub", landing.sub);
  }
};

function decide(is_given: boolean): void {
  is_allowed = is_given;
  if (!is_given) {
    storeCookie("", 0);
    api.clickId = null;
  }
  void record();
}

async function record(): Promise<void> {
  is_recorded = is_late = false;
  // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
  if (is_allowed && !is_opposed) await recordVisit().catch(ignore);
  is_recorded = true;
  answerCalls();
}

/** Uses the stored click, then the new one if the visitor followed an affiliate link to this page. */
async function recordVisit(): Promise<void> {
  const stored = readCookie();
  if (stored) applyClick(stored);
  if (!landing || (stored && isRepeated())) return;
  const answer = await send(
    "click",
    { ...landing, previous_click_id: stored, referrer: document.referrer },
    () => {
      is_late = true;
      answerCalls();
      return is_allowed;
    },
  );
  const { click_id, cookie_duration, cookie } = answer;
  // The visitor may have withdrawn the consent since.
  if (!click_id || !is_allowed) return;
  // Browsers shorten the life of cookies that scripts set, also over one of the service.
  if (!cookie || click_id !== readCookie()) storeCookie(click_id, cookie_duration);
  applyClick(click_id);
}

function applyClick(click_id: string): void {
  api.clickId = click_id;
  fillStripe(click_id);
}

function answerCalls(): void {
  for (const call of api.q.splice(0)) {
    const [done, email, options] = call;
    if (email && !is_recorded) {
      api.q[api.q.length] = call;
      continue;
    }
    // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
    void answer(email, options)
      .catch(ignore)
      .then((result) => done?.(result ?? null));
  }
}

/** The click's id for a call without an email. */
async function answer(email: Call[1], options: Call[2]) {
  const click_id = api.clickId;
  if (!email || !click_id) return email ? null : click_id;
  return send("signup", { click_id, email, signature: Object(options).signature }, () => is_allowed);
}

function ignore(): void {}

function startSafely(): void {
  // biome-ignore lint/plugin/swallowed-failure: errors must not affect the page
  try {
    start();
  } catch {}
}

// A prerendered page has not been visited yet. It changes once.
if (document.prerendering) document.addEventListener("prerenderingchange", startSafely);
else startSafely();
