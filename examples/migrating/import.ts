// Imports affiliates and referrals exported from PromoteKit, Rewardful or Tolt. Running it again changes nothing.
// npx tsx import.ts <promotekit|rewardful|tolt> <folder of the export> <campaign id>
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type CreateAffiliate, type CreateReferral, createClient, FindersfeeError } from "@findersfee/sdk";

/** An affiliate from any of the three services, and the id that its referrals use. */
interface OldAffiliate extends Omit<CreateAffiliate, "campaign_id"> {
  old_id: string;
  banned: boolean;
}

interface OldReferral extends Omit<CreateReferral, "affiliate_id"> {
  old_affiliate_id: string;
}

interface Export {
  affiliates: OldAffiliate[];
  referrals: OldReferral[];
}

const [, , vendor = "", folder = "", campaign_id = ""] = process.argv;

const findersfee = createClient({
  baseUrl: process.env.FINDERSFEE_URL ?? "",
  apiKey: process.env.FINDERSFEE_API_KEY ?? "",
});

/** Reads a file of the export: the rows of `data` from all pages of a list, as one JSON array. */
async function rows<Row>(name: string): Promise<Row[]> {
  return JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"));
}

interface PromoteKitAffiliate {
  id: string;
  email: string;
  first_name: string | null;
  last_name: string | null;
  payout_email: string | null;
  links: { code: string }[];
  approved: boolean;
  banned: boolean;
}

interface PromoteKitReferral {
  email: string;
  stripe_customer_id: string | null;
  subscription_status: CreateReferral["subscription_status"];
  affiliate: { id: string };
}

async function readPromoteKit(): Promise<Export> {
  const affiliates = await rows<PromoteKitAffiliate>("affiliates");
  const referrals = await rows<PromoteKitReferral>("referrals");
  return {
    affiliates: affiliates.map(({ id, links, ...affiliate }) => ({
      old_id: id,
      email: affiliate.email,
      first_name: affiliate.first_name ?? "",
      last_name: affiliate.last_name ?? "",
      payout_email: affiliate.payout_email,
      ref_code: links[0]?.code,
      approved: affiliate.approved,
      banned: affiliate.banned,
    })),
    referrals: referrals.map(({ affiliate, email, stripe_customer_id, subscription_status }) => ({
      old_affiliate_id: affiliate.id,
      email,
      processor_customer_id: stripe_customer_id ?? undefined,
      subscription_status,
    })),
  };
}

interface RewardfulAffiliate {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  paypal_email: string | null;
  /** `active`, `disabled` or `suspicious`. */
  state: string;
  links: { token: string }[];
}

interface RewardfulReferral {
  /** `visitor`, `lead` or `conversion`. */
  conversion_state: string;
  customer: { id: string; email: string } | null;
  affiliate: { id: string };
}

async function readRewardful(): Promise<Export> {
  const affiliates = await rows<RewardfulAffiliate>("affiliates");
  const referrals = await rows<RewardfulReferral>("referrals");
  return {
    affiliates: affiliates.map(({ id, email, first_name, last_name, paypal_email, state, links }) => ({
      old_id: id,
      email,
      first_name,
      last_name,
      payout_email: paypal_email,
      ref_code: links[0]?.token,
      approved: true,
      banned: state !== "active",
    })),
    // A visitor has no email yet; Findersfee stores visitors as clicks.
    referrals: referrals.flatMap(({ affiliate, customer, conversion_state }) =>
      customer === null
        ? []
        : [
            {
              old_affiliate_id: affiliate.id,
              email: customer.email,
              processor_customer_id: customer.id,
              subscription_status: conversion_state === "conversion" ? "active" : "signed_up",
            },
          ],
    ),
  };
}

interface ToltPartner {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  status: string;
  payout_details: { email?: string } | null;
}

interface ToltLink {
  partner_id: string;
  value: string;
}

interface ToltCustomer {
  email: string;
  partner_id: string;
  /** Your own id of the customer, which can differ from the processor's. */
  customer_id: string | null;
  /** `lead` until the first payment, then `active`. */
  status: string;
}

async function readTolt(): Promise<Export> {
  const partners = await rows<ToltPartner>("partners");
  const links = await rows<ToltLink>("links");
  const customers = await rows<ToltCustomer>("customers");
  return {
    affiliates: partners.map(({ id, email, first_name, last_name, payout_details, status }) => ({
      old_id: id,
      email,
      first_name,
      last_name,
      payout_email: payout_details?.email ?? null,
      ref_code: links.find(({ partner_id }) => partner_id === id)?.value,
      approved: status === "active",
      banned: false,
    })),
    referrals: customers.map(({ partner_id, email, customer_id, status }) => ({
      old_affiliate_id: partner_id,
      email,
      processor_customer_id: customer_id?.startsWith("cus_") ? customer_id : undefined,
      subscription_status: status === "active" ? "active" : "signed_up",
    })),
  };
}

/** Returns the affiliate's id in Findersfee, whether created now or by an earlier run. */
async function importAffiliate({
  old_id: _,
  banned,
  ...affiliate
}: OldAffiliate): Promise<[string, boolean]> {
  const [id, is_new] = await findersfee.affiliates.create({ ...affiliate, campaign_id }).then(
    (created) => [created.id, true] as const,
    (error: unknown) => [existing(error, "affiliate_exists", "affiliate_id"), false] as const,
  );
  if (is_new && banned) await findersfee.affiliates.update({ id, banned });
  return [id, is_new];
}

async function importReferral(referral: OldReferral, affiliate_id: string): Promise<boolean> {
  const { old_affiliate_id: _, ...input } = referral;
  const [id, is_new] = await findersfee.referrals.create({ ...input, affiliate_id }).then(
    (created) => [created.id, true] as const,
    (error: unknown) => [existing(error, "referral_exists", "referral_id"), false] as const,
  );
  const { affiliate } = await findersfee.referrals.get({ id });
  if (affiliate.id !== affiliate_id) throw new Error(`is a referral of ${affiliate.email}`);
  return is_new;
}

/** The id of the existing row, from the error's details; other errors are rethrown. */
function existing(error: unknown, code: string, detail: string): string {
  if (!(error instanceof FindersfeeError) || error.code !== code) throw error;
  const id = error.details[detail];
  if (id === undefined) throw error;
  return id;
}

const READERS: Record<string, () => Promise<Export>> = {
  promotekit: readPromoteKit,
  rewardful: readRewardful,
  tolt: readTolt,
};

const read = READERS[vendor];
if (read === undefined || folder === "" || campaign_id === "") {
  console.error("Usage: import.ts <promotekit|rewardful|tolt> <folder of the export> <campaign id>");
  process.exit(2);
}
const { affiliates, referrals } = await read();
const ids = new Map<string, string>();
const counts = { affiliates: 0, referrals: 0, failed: 0 };

function report(email: string, error: unknown): void {
  counts.failed++;
  console.error(`${email}: ${error instanceof Error ? error.message : error}`);
}

for (const affiliate of affiliates) {
  try {
    const [id, is_new] = await importAffiliate(affiliate);
    ids.set(affiliate.old_id, id);
    if (is_new) counts.affiliates++;
  } catch (error) {
    report(affiliate.email, error);
  }
}
for (const referral of referrals) {
  try {
    const affiliate_id = ids.get(referral.old_affiliate_id);
    if (affiliate_id === undefined) throw new Error("its affiliate was not imported");
    if (await importReferral(referral, affiliate_id)) counts.referrals++;
  } catch (error) {
    report(referral.email, error);
  }
}
console.log(
  `${counts.affiliates} affiliates and ${counts.referrals} referrals created, ${counts.failed} failed`,
);
if (counts.failed > 0) process.exitCode = 1;
