import { randomBytes } from "node:crypto";
import type { CreateCampaign } from "@findersfee/contract/campaigns/campaigns";
import type { CommissionRuleInput } from "@findersfee/contract/campaigns/rules";
import { transaction } from "@findersfee/database/postgres/connect";
import { insertAffiliateTier } from "@findersfee/database/tiers/changes";
import { ALL_SHARDS, type ShardOwner, shardOf, takeShard } from "@findersfee/database/work/shards";
import { workPayoutRun } from "@findersfee/domain/payouts/runs/pay";
import { processInboundWebhooks } from "@findersfee/domain/processors/process-inbound-webhooks";
import { samplePromotionCode } from "@findersfee/samples/stripe/discount";
import { stripeEvent } from "@findersfee/samples/stripe/event";
import { ENDPOINT_POLICY, type StaffClient, type TestClient, type TestService } from "../test-service.ts";
import { newVisitor, post } from "../tracking-program.ts";
import {
  DAY,
  type Deed,
  type History,
  type Partner,
  type RateOfDay,
  type Rule,
  type Terms,
  type TierReward,
} from "./history.ts";
import { headersOf, processorOf } from "./messages.ts";
import { COUPON, customerEmail, promoCode, promotionCodeId } from "./names.ts";

/** A service, and the only worker of its database. */
export interface WorkedService {
  service: TestService;
  owners: readonly ShardOwner[];
}

export async function ownAll(service: TestService): Promise<WorkedService> {
  return {
    service,
    owners: await Promise.all(ALL_SHARDS.map((shard) => takeShard(service.database, shard))),
  };
}

/** The organization of a history. */
export interface Program {
  organization: TestClient;
  staff: StaffClient["trpc"]["dashboard"];
  signing_secret: string;
  /** Empty if the history signs no sign-up. */
  signup_secret: string;
  campaigns: readonly string[];
  affiliates: readonly string[];
  clicks: readonly string[];
  /** When the history started: the time of the first click. */
  start: number;
}

export async function makeProgram({ service }: WorkedService, history: History): Promise<Program> {
  const organization = await service.organization({ currency: history.currency });
  const { trpc } = await service.staff(organization.organization_id);
  const signing_secret = `whsec_${randomBytes(24).toString("base64")}`;
  await trpc.dashboard.processors.connect.mutate({ name: processorOf(history), signing_secret });
  const used = usedAffiliates(history);
  const campaigns: string[] = [];
  for (const [number, terms] of history.campaigns.entries()) {
    if (!history.affiliates.some(({ campaign }, affiliate) => campaign === number && used.has(affiliate)))
      continue;
    campaigns[number] = (await organization.trpc.campaigns.create.mutate(campaignOf(terms, number))).id;
  }
  const affiliates: string[] = [];
  for (const [number, { campaign, is_customer, recruited_by }] of history.affiliates.entries()) {
    if (!used.has(number)) continue;
    const recruiter = affiliates[recruited_by ?? -1];
    const { id } = await organization.trpc.affiliates.create.mutate({
      campaign_id: campaigns[campaign] ?? "",
      email: is_customer === null ? `affiliate${number}@example.com` : ownAddress(is_customer, number),
      ref_code: `link${number}`,
      promo_code: promoCode(number),
      ...(recruiter === undefined ? {} : { recruited_by: recruiter }),
    });
    affiliates[number] = id;
  }
  if (processorOf(history) === "stripe") await reportCodes(history, organization, signing_secret);
  const start = Date.now();
  for (const [number, { own_rules }] of history.affiliates.entries()) {
    if (own_rules === null || !used.has(number)) continue;
    await organization.trpc.affiliate_rules.set.mutate({
      affiliate_ids: [affiliates[number] ?? ""],
      starts_at: new Date(start + own_rules.from).toISOString(),
      rules: own_rules.rules.map((rule) => ruleOf(rule, 0)),
    });
  }
  const clicks: string[] = [];
  for (const affiliate of history.clicks) clicks.push(await click(organization, affiliate));
  for (const [number, { approved }] of history.affiliates.entries()) {
    if (approved || !used.has(number)) continue;
    await organization.trpc.affiliates.update.mutate({ id: affiliates[number] ?? "", approved: false });
  }
  const names = { organization, staff: trpc.dashboard, signing_secret, campaigns, affiliates, clicks, start };
  if (history.rates.length > 0) await names.staff.settings.update.mutate({ converts_fixed_amounts: true });
  for (const rate of history.rates) await enterRate(names, rate);
  const is_signing = history.steps.some((step) => step.kind === "sign_up" && step.signed);
  const signup_secret = is_signing
    ? (await trpc.dashboard.settings.rotateSignupSecret.mutate({})).signing_secret
    : "";
  return { ...names, signup_secret };
}

export async function enterRate(
  { staff, start }: Pick<Program, "staff" | "start">,
  { currency, rate, days_ago }: RateOfDay,
): Promise<void> {
  const day = new Date(start - days_ago * DAY).toISOString().slice(0, 10);
  await staff.exchange_rates.create.mutate({ currency, rate, day });
}

/** Stores an affiliate's tier, as a worker does after a day. */
export async function storeTier(
  { service: { database } }: WorkedService,
  { organization, affiliates, campaigns, start }: Program,
  { affiliate, tier, since, of }: Deed & { kind: "set_tier"; of: Partner | undefined },
): Promise<void> {
  const campaign = of?.campaign ?? -1;
  const [affiliate_id, campaign_id] = [affiliates[affiliate] ?? "", campaigns[campaign] ?? ""];
  const named = tier === null ? NO_TIER : { tier_id: tierId(campaign, tier), tier_name: `Tier ${tier}` };
  const measured = { measure: "customers", number: 1n, measured_on: "2026-01-01" } as const;
  const change = { affiliate_id, campaign_id, since: new Date(start + since), ...named, ...measured };
  await transaction(database, (sql) => insertAffiliateTier(sql, organization.organization_id, change));
}

const NO_TIER = { tier_id: null, tier_name: null };

function tierId(campaign: number, tier: number): string {
  return `00000000-0000-4000-8000-00000000000${campaign * 5 + tier}`;
}

/** The affiliates that a history names, and their recruiters. Others would only take time. */
function usedAffiliates({ steps, clicks, affiliates }: History): Set<number> {
  const named = steps.flatMap((step) => {
    if (step.kind === "checkout") return step.codes;
    return "affiliate" in step ? [step.affiliate] : [];
  });
  const used = new Set([...named, ...clicks]);
  // A recruiter has a smaller number.
  for (const [number, { recruited_by }] of [...affiliates.entries()].reverse()) {
    if (used.has(number) && recruited_by !== undefined) used.add(recruited_by);
  }
  return used;
}

/** Reports the affiliates' codes at Stripe, which links them. */
async function reportCodes(
  history: History,
  { url, organization_id }: TestClient,
  secret: string,
): Promise<void> {
  for (const affiliate of usedAffiliates(history)) {
    const id = `evt_code_${affiliate}`;
    const created = Math.floor(Date.now() / 1000);
    const code = { id: promotionCodeId(affiliate), created, code: promoCode(affiliate), coupon: COUPON };
    const body = JSON.stringify(
      stripeEvent({
        id,
        type: "promotion_code.created",
        object: samplePromotionCode("2026-10-28.endive", code),
        api_version: "2026-10-28.endive",
        created,
        livemode: true,
      }),
    );
    const headers = headersOf(history, { id, body }, secret);
    await fetch(`${url}/processors/stripe/${organization_id}`, { method: "POST", headers, body });
  }
}

/** An address of the customer: self-referrals are found without the tag. Each affiliate of a campaign has another one. */
function ownAddress(customer: number, affiliate: number): string {
  return customerEmail(customer).replace("@", `+${affiliate}@`);
}

function campaignOf(terms: Terms, number: number): CreateCampaign {
  const products = Object.entries(terms.products);
  return {
    name: "Partners",
    website_url: "https://example.com",
    code_mode: "both",
    reference_coupon: COUPON,
    commission_type: terms.rate.type,
    commission_amount: terms.rate.amount,
    first_payment_commission: {
      enabled: terms.first_payment !== null,
      ...(terms.first_payment ?? { type: "percentage", amount: 0 }),
    },
    custom_commission_type: products.length === 0 ? "none" : "product",
    custom_commissions: products.map(([product_id, rate]) => ({ product_id, ...rate })),
    ...(terms.limit === null ? {} : { limit_type: terms.limit.type, limit_amount: terms.limit.amount }),
    customers: terms.customers,
    attribution: terms.attribution,
    cookie_duration: terms.cookie_duration,
    commission_cap: terms.commission_cap,
    skip_prorations: terms.skip_prorations,
    rules: terms.rules.map((rule) => ruleOf(rule, number)),
    lead_commissions: [...terms.leads],
    recruiting: terms.recruiting,
    tiers: tiersOf(terms.tiers, number),
    ...reviewOf(terms),
  };
}

export function reviewOf({ review, review_above }: Pick<Terms, "review" | "review_above">) {
  return { review, review_above_amount: review_above };
}

export function tiersOf(tiers: readonly TierReward[], campaign: number): CreateCampaign["tiers"] {
  if (tiers.length === 0) return null;
  const steps = tiers.map((reward, tier) => ({
    id: tierId(campaign, tier),
    name: `Tier ${tier}`,
    from: tier + 1,
    commission: reward === "as_before" ? null : rewardOf(reward),
    bonus: null,
  }));
  return { measure: "customers", period: "all_time", steps };
}

function ruleOf(
  { conditions: { plans, tiers, ...conditions }, reward }: Rule,
  campaign: number,
): CommissionRuleInput {
  return {
    name: null,
    conditions: {
      ...structuredClone(conditions as CommissionRuleInput["conditions"]),
      ...(plans !== undefined && { metadata: { key: "plan", values: [...plans] } }),
      ...(tiers !== undefined && { tiers: tiers.map((tier) => tierId(campaign, tier)) }),
    },
    reward: rewardOf(reward),
  };
}

function rewardOf(reward: Rule["reward"]): CommissionRuleInput["reward"] {
  const fixed = reward !== null && typeof reward === "object";
  const of_type = fixed ? "fixed" : "percentage";
  return {
    type: reward === null ? "nothing" : of_type,
    amount: typeof reward === "number" ? reward : null,
    amounts: fixed ? Object.entries(reward).map(([currency, amount]) => ({ currency, amount })) : [],
  };
}

/** Returns a time after everything before. */
export async function nextMillisecond(): Promise<number> {
  const millisecond = Date.now();
  while (Date.now() === millisecond) await new Promise(setImmediate);
  return Date.now();
}

/** Clicks have times in milliseconds: each is later than those before it. */
async function click({ url, publishable_key }: TestClient, affiliate: number): Promise<string> {
  await nextMillisecond();
  const body = { key: publishable_key, code: `link${affiliate}` };
  const { body: answer } = await post(`${url}/track/click`, body, newVisitor());
  return answer.data.click_id;
}

/** Processes the organization's messages, as a worker does. */
export async function processMessages(
  { service, owners }: WorkedService,
  { organization }: Program,
): Promise<void> {
  const { organization_id } = organization;
  let is_done = false;
  while (!is_done) {
    const owner = ownerOf(owners, organization_id);
    const { locked, full, dead_lettered, failed } = await processInboundWebhooks(
      service.database,
      organization_id,
      { owner, secrets_key: ENDPOINT_POLICY.secrets_key },
    );
    if (dead_lettered + failed > 0) throw new Error(`${dead_lettered + failed} messages failed`);
    is_done = locked && !full;
  }
}

/** Pays the organization's runs, as a worker does. */
export async function payRuns({ service, owners }: WorkedService, { organization }: Program): Promise<void> {
  const { signal } = new AbortController();
  const { organization_id } = organization;
  const owner = ownerOf(owners, organization_id);
  while (await workPayoutRun(service.database, organization_id, { owner, signal }));
}

function ownerOf(owners: readonly ShardOwner[], organization_id: string): ShardOwner {
  const owner = owners[shardOf(organization_id)];
  if (owner === undefined) throw new Error(`no shard of ${organization_id}`);
  return owner;
}
