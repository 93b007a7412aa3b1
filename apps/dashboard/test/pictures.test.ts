import { recordCheckedLedger, recordUncheckedLedger } from "@findersfee/database/ledger/verifications";
import type { Database } from "@findersfee/database/postgres/connect";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import {
  recordFailedCode,
  recordSecurityEvent,
} from "@findersfee/domain/identity/accounts/record-security-event";
import { setLogo } from "@findersfee/domain/portal/settings";
import { signIn } from "@findersfee/domain/testing/accounts";
import { PICTURES } from "@findersfee/domain/testing/portal/pictures";
import { LOAD_MILLISECONDS } from "@findersfee/ui/testing/chromium";
import { checkScreen } from "@findersfee/ui/testing/screens";
import { beforeAll, it } from "vitest";
import { type Claims, fillClaims } from "./customers/claims.ts";
import { describeInBrowser, finish } from "./in-browser.ts";
import { createOwing, payOwing, payoutsOf } from "./payouts/payouts.ts";
import { createPlace, fillPlace, type Place } from "./program.ts";

let database: Database;
let place: Place;
let empty: Place;
/** An organization with a payout run, and one before its first run. */
let paying: Place;
let owing: Place;
let run_id: string;
let claims: Claims;

/** The screens by name, each with its path. */
const SCREENS: Record<string, () => Promise<string> | string> = {
  overview: () => place.home,
  "overview-year": () => `${place.home}?period=365d&series=clicks&compare=no`,
  "overview-empty": () => empty.home,
  performance: () => `${place.home}/performance`,
  "performance-empty": () => `${empty.home}/performance`,
  "get-started": () => `${place.home}/get-started`,
  campaigns: () => `${place.home}/campaigns`,
  "campaigns-empty": () => `${empty.home}/campaigns`,
  "campaign-new": () => `${place.home}/campaigns/new`,
  "campaign-rules": () => `${place.home}/campaigns/${campaign_id}/rules`,
  "campaign-form": () => `${place.home}/campaigns/${campaign_id}/form`,
  "campaign-portal": () => `${place.home}/campaigns/${campaign_id}/portal`,
  "campaign-install": () => `${place.home}/campaigns/${campaign_id}/install`,
  affiliates: () => `${place.home}/affiliates`,
  "affiliates-empty": () => `${empty.home}/affiliates`,
  "affiliates-none-match": () => `${place.home}/affiliates?text=nobody`,
  "affiliates-by-earned": () => `${place.home}/affiliates?sort=earned`,
  "affiliates-waiting": () => `${place.home}/affiliates/waiting`,
  "affiliates-waiting-open": async () =>
    `${place.home}/affiliates/waiting?open=${await affiliateOf("max@example.com")}`,
  "affiliates-waiting-empty": () => `${empty.home}/affiliates/waiting`,
  "affiliate-new": () => `${place.home}/affiliates/new`,
  "affiliate-import": () => `${place.home}/affiliates/import`,
  affiliate: async () => `${place.home}/affiliates/${await affiliateOf("jane@example.com")}`,
  "affiliate-hostile": async () => `${place.home}/affiliates/${await affiliateOf("arabic@example.com")}`,
  "affiliate-codes": async () =>
    `${place.home}/affiliates/${await affiliateOf("jane@example.com")}?tab=codes`,
  "affiliate-referrals": async () =>
    `${place.home}/affiliates/${await affiliateOf("jane@example.com")}?tab=referrals`,
  "affiliate-commissions": async () =>
    `${place.home}/affiliates/${await affiliateOf("jane@example.com")}?tab=commissions`,
  "affiliate-payments": async () =>
    `${place.home}/affiliates/${await affiliateOf("jane@example.com")}?tab=payments`,
  "affiliate-ledger": async () =>
    `${place.home}/affiliates/${await affiliateOf("jane@example.com")}?tab=ledger`,
  "affiliate-history": async () =>
    `${place.home}/affiliates/${await affiliateOf("max@example.com")}?tab=history`,
  referrals: () => `${place.home}/referrals`,
  "referrals-empty": () => `${empty.home}/referrals`,
  referral: async () => `${place.home}/referrals/${await referralOf("customer4@example.com")}`,
  payments: () => `${place.home}/payments`,
  "payments-empty": () => `${empty.home}/payments`,
  "payments-none-match": () => `${place.home}/payments?text=nobody`,
  "payment-commission": () => `${place.home}/payments/${decisionOf("in_3")}`,
  "payment-expired": () => `${place.home}/payments/${decisionOf("in_7")}`,
  "payment-unapproved": () => `${place.home}/payments/${decisionOf("in_6")}`,
  "payment-try": () => `${place.home}/payments/try`,
  commissions: () => `${place.home}/commissions`,
  "commissions-empty": () => `${empty.home}/commissions`,
  "commission-new": () => `${place.home}/commissions/new`,
  "commissions-of-payout": async () => `${paying.home}/commissions?payout=${await payoutOf("Jane Doe")}`,
  "payment-disputed": () => `${place.home}/payments/${decisionOf("in_10")}`,
  "payment-refunded": () => `${place.home}/payments/${decisionOf("in_4")}`,
  "commission-disputed": () => `${place.home}/commissions/${commissionOf("in_10")}`,
  "commission-reduced": () => `${place.home}/commissions/${commissionOf("in_4")}`,
  "commission-paid": () => `${place.home}/commissions/${commissionOf("in_1")}`,
  payouts: () => `${paying.home}/payouts`,
  "payouts-first": () => `${owing.home}/payouts`,
  "payouts-empty": () => `${empty.home}/payouts`,
  "payouts-next": () => `${owing.home}/payouts/next`,
  "payouts-next-held": () => `${owing.home}/payouts/next?part=held`,
  "payouts-next-started": () => `${paying.home}/payouts/next`,
  "payouts-next-empty": () => `${empty.home}/payouts/next`,
  "payouts-all": () => `${paying.home}/payouts/all`,
  "payouts-all-none-match": () => `${paying.home}/payouts/all?currency=JPY&period=7d`,
  "payouts-all-empty": () => `${empty.home}/payouts/all`,
  "payouts-run": () => `${paying.home}/payouts/runs/${run_id}`,
  "payout-paid": async () => `${paying.home}/payouts/${await payoutOf("Jane Doe")}`,
  "payout-failed": async () => `${paying.home}/payouts/${await payoutOf("Max Roe")}`,
  "payout-statement": async () => `${paying.home}/payouts/${await payoutOf("Jane Doe")}/statement`,
  claims: () => `${place.home}/claims`,
  "claims-empty": () => `${empty.home}/claims`,
  "claims-none-match": () => `${place.home}/claims?state=declined&text=nobody@example.com`,
  "claim-expired": () => `${place.home}/claims/${claims.expired}`,
  "claim-unknown": () => `${place.home}/claims/${claims.unknown}`,
  "claim-taken": () => `${place.home}/claims/${claims.taken}`,
  "claim-declined": () => `${place.home}/claims/${claims.declined}`,
  "claim-accepted": () => `${place.home}/claims/${claims.accepted}`,
  history: () => `${place.home}/settings/history`,
  "history-security": () => `${place.home}/settings/history?part=security`,
  "history-security-empty": () => `${empty.home}/settings/history?part=security`,
  "history-none-match": () => `${place.home}/settings/history?kind=payout_run&by=operator&period=7d`,
  health: () => `${place.home}/settings/health`,
  team: () => `${place.home}/settings/team`,
  "settings-notifications": () => `${place.home}/settings/notifications`,
  "settings-organization": () => `${place.home}/settings/organization`,
  "settings-portal": () => `${place.home}/settings/portal`,
  "settings-portal-new": () => `${empty.home}/settings/portal`,
  "settings-payouts": () => `${place.home}/settings/payouts`,
  "settings-currencies": () => `${place.home}/settings/currencies`,
  "settings-single-sign-on": () => `${place.home}/settings/single-sign-on`,
  "settings-single-sign-on-new": () => `${empty.home}/settings/single-sign-on`,
  organizations: () => "/organizations",
  account: () => `/me?from=${place.home.slice(3)}`,
  "unknown-organization": () => "/o/nobody/payments",
  "not-found": () => `${place.home}/nothing`,
  "sign-in": () => "/sign-in",
  "sign-in-second-step": () => "/sign-in/second-step",
  "sign-in-single-sign-on": () => "/sign-in/single-sign-on",
  "sign-in-refused": () => "/sign-in?failure=refused&request=req-1f",
  reset: () => "/reset",
};

/** The screens that the short form of tests checks: one of each kind. */
const USUAL = new Set([
  "overview",
  "campaigns",
  "affiliates",
  "affiliate",
  "referrals",
  "referral",
  "payments",
  "payment-commission",
  "commissions",
  "commission-new",
  "payouts",
  "claims",
  "history",
  "history-security",
  "health",
  "team",
  "settings-organization",
  "settings-single-sign-on",
  "account",
  "sign-in",
  "sign-in-refused",
]);
const CHECKED = Object.keys(SCREENS).filter((name) => FULL_TESTS || USUAL.has(name));

const idOf = async (rows: Promise<{ id: string }[]>) => (await rows)[0]?.id ?? "";
const affiliateOf = (email: string) =>
  idOf(database`
    select id from affiliates where organization_id = ${place.organization_id} and email = ${email}`);
const referralOf = (email: string) =>
  idOf(database`
    select id from referrals where organization_id = ${place.organization_id} and email = ${email}`);
let campaign_id = "";

const decisions = new Map<string, { id: string; commission_id: string | null }>();
const decisionOf = (payment_id: string) => decisions.get(payment_id)?.id ?? "";
const payoutOf = async (name: string) => (await payoutsOf(database, paying)).get(name)?.id ?? "";
const commissionOf = (payment_id: string) => decisions.get(payment_id)?.commission_id ?? "";

/** A look with all parts, and a color that needs other shades in both themes. */
async function setLook({ context, organization_id }: Place): Promise<void> {
  await setLogo(
    context,
    { content: PICTURES.png },
    { dashboard_url: "", public_url: "https://app.example.com", service_hosts: [] },
  );
  await database`
    update organizations set brand_color = '#ff7a59', terms_url = 'https://acme.example/terms',
      imprint_url = 'https://acme.example/imprint', privacy_url = 'https://acme.example/privacy', languages = '{en,de}',
      portal_host_wanted = 'partners.acme.example', portal_host_proven_at = now(), support_email = 'partners@acme.example'
    where id = ${organization_id}`;
}

/** A provider that was used, with one proven domain and another without its record. */
async function connectProvider({ organization_id }: Place): Promise<void> {
  await database`
    insert into sign_in_providers (organization_id, issuer, client_id, client_secret_encrypted, role_claim, claim_roles,
      default_role, session_hours, used_at, created_at, updated_at)
    values (${organization_id}, 'https://id.acme.example', 'findersfee', '\\x00', 'groups',
      '{"findersfee-admins": "admin"}', 'viewer', 12, now(), now(), now())`;
  await database`
    insert into sign_in_domains (organization_id, domain, proven_at, checked_at, failure)
    values (${organization_id}, 'acme.example', now(), now(), null),
      (${organization_id}, 'partners.acme.example', null, now(), 'missing')`;
}

/** A nightly check that found damage and was not completed since. */
async function damageLedger({ organization_id }: Place): Promise<void> {
  const finding = {
    rule: "The entries of a commission add up to its amount, or to 0 if it is voided.",
    level: "damage" as const,
    subject: "commission 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    finding: "its entries have 1 too much",
  };
  await recordCheckedLedger(database, organization_id, {
    began_at: new Date(Date.now() - 24 * 60 * 60 * 1000),
    rules: 28,
    damaged: 1,
    warnings: 2,
    findings: [finding],
  });
  const reason = "PostgresError: canceling statement due to statement timeout";
  await recordUncheckedLedger(database, organization_id, { began_at: new Date(), reason });
}

const FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

/** One of each length of line, of a member of the organization. */
async function addSecurityEvents({ organization_id }: Place): Promise<void> {
  const { user_id } = await signIn(database, { organization_id, role: "viewer" });
  const browser = { ip_address: "2001:db8:85a3:8d3:1319:8a2e:370:7348", user_agent: FIREFOX };
  await recordSecurityEvent(database, { user_id, kind: "signed_in", browser, detail: "password" });
  await recordSecurityEvent(database, { user_id, kind: "passkey_added", browser, detail: "Laptop" });
  for (let n = 0; n < 3; n++) await recordFailedCode(database, { user_id, browser });
  const actor = "operator";
  await recordSecurityEvent(database, { user_id, kind: "sessions_ended", browser: null, actor });
}

describeInBrowser("the screens", (dashboard) => {
  beforeAll(async () => {
    ({ database, place } = dashboard);
    await fillPlace(place);
    await damageLedger(place);
    claims = await fillClaims(place);
    await setLook(place);
    await connectProvider(place);
    await addSecurityEvents(place);
    empty = await createPlace(database, "Empty");
    owing = await createOwing(database);
    paying = await createOwing(database);
    run_id = await payOwing(database, paying);
    const rows = await database<{ id: string; payment_id: string; commission_id: string | null }[]>`
      select id, payment_id, commission_id from payment_decisions where organization_id = ${place.organization_id}`;
    for (const row of rows) decisions.set(row.payment_id, row);
    const [campaign] = await database<[{ id: string }]>`
      select id from campaigns where organization_id = ${place.organization_id} and name = 'Partner program'`;
    campaign_id = campaign.id;
  });

  it.each(CHECKED)("%s fits the window and breaks no rule of axe", async (name) => {
    const path = (await SCREENS[name]?.()) ?? "";
    const at =
      [place, empty, owing, paying].find(({ home }) => path === home || path.startsWith(`${home}/`)) ?? place;
    const watched = await dashboard.visitInTab(path, at);
    const { page } = watched;
    await page.getByRole("heading", { level: 1 }).waitFor({ state: "attached", timeout: LOAD_MILLISECONDS });
    await checkScreen(page, name);
    await finish(watched);
  });
});
