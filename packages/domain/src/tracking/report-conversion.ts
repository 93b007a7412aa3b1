import type { Conversion, CreateConversion } from "@findersfee/contract/tracking/conversions";
import {
  type AttributedReferralRow,
  findCustomersReferrals,
} from "@findersfee/database/attribution/customers";
import { findCustomerKeys } from "@findersfee/database/attribution/facts";
import { findLeads } from "@findersfee/database/attribution/leads";
import type { Connection, Transaction } from "@findersfee/database/postgres/connect";
import { lowerCase } from "@findersfee/database/postgres/lower-case";
import { lockPayments } from "@findersfee/database/processors/due-messages";
import { actorText } from "../actor.ts";
import { overridesOf } from "../attribution/decide/reattribute.ts";
import { beganAt } from "../attribution/decide/referrals.ts";
import { customerKey, emailKey, referralKeys } from "../attribution/facts/fact-names.ts";
import { SIGN_UP_TOLERANCE_MILLISECONDS } from "../attribution/facts/touches.ts";
import { viewLead } from "../attribution/view-lead.ts";
import { recordLeads } from "../attribution/write/leads.ts";
import { namesOf } from "../attribution/write/load.ts";
import { loadFacts } from "../attribution/write/load-facts.ts";
import type { Context } from "../context.ts";
import { DomainError, invalidField, requireSubscription } from "../errors.ts";
import { inTransaction } from "../transaction.ts";
import { refer } from "./refer.ts";
import { signUpReferences } from "./sign-up.ts";

/**
 * Records a conversion of a referral, at most one of each kind: a repetition returns the first one. It earns
 * the present commission of the affiliate's campaign, and records `commission.created`. With a click and an
 * email, a customer without a referral becomes one of the click's affiliate, as by a sign-up.
 *
 * Errors: `subscription_error`, `not_found` (no referral has the customer), `invalid_request`.
 */
export async function reportConversion(context: Context, input: CreateConversion): Promise<Conversion> {
  const { organization, database } = context;
  const now = new Date();
  const occurred_at = input.occurred_at === undefined ? now : new Date(input.occurred_at);
  if (occurred_at.getTime() > now.getTime() + CLOCK_TOLERANCE_MILLISECONDS) {
    throw invalidField("occurred_at", "Must not be in the future.");
  }
  requireSubscription(organization);
  const { click_id, email, processor_customer_id } = input;
  if (click_id !== undefined && email !== undefined && input.referral_id === undefined) {
    const known = await findReferralOf(database, organization.id, input);
    // As for sign-ups: a retry finds the referral, even if a later step fails.
    if (known === null) {
      await refer(context, organization, { click_id, email, processor_customer_id, actor: context.actor });
    }
  }
  return await inTransaction(context, async (sql) => {
    // Locked before the referral's commissions, in the same order as the workers.
    await lockPayments(sql, organization.id);
    const referral = await findReferralOf(sql, organization.id, input);
    if (referral === null) throw unknownCustomer();
    const { kind, reference = null } = input;
    return await recordConversion(sql, context, { referral, conversion: { kind, reference, occurred_at } });
  });
}

/** Backends' clocks may be ahead. */
const CLOCK_TOLERANCE_MILLISECONDS = 5 * 60 * 1000;

async function recordConversion(
  sql: Transaction,
  { organization, actor }: Context,
  {
    referral,
    conversion,
  }: {
    referral: AttributedReferralRow;
    conversion: { kind: string; reference: string | null; occurred_at: Date };
  },
): Promise<Conversion> {
  const findOwn = async () =>
    (await findLeads(sql, organization.id, [referral.id])).find(({ kind }) => kind === conversion.kind);
  const known = await findOwn();
  if (known !== undefined) return viewLead(known);
  const customers = await findCustomerKeys(sql, organization.id, referralKeys(referral));
  const facts = await loadFacts(sql, organization.id, [...new Set(customers.values())]);
  const { attributed_at, signup_date } = referral;
  const since = attributed_at ?? new Date(signup_date.getTime() - SIGN_UP_TOLERANCE_MILLISECONDS);
  await recordLeads(sql, organization, [
    {
      referral,
      since: beganAt({ since, signup_date }),
      is_new: false,
      new_leads: [conversion],
      overrides: overridesOf([...facts.values()].flat()),
      cause: actorText(actor),
    },
  ]);
  const recorded = await findOwn();
  if (recorded === undefined) throw new Error("a conversion was not stored");
  return viewLead(recorded);
}

/** The referral by the first of these names that finds one: its id, the customer's id or email, or the click of its sign-up. */
async function findReferralOf(
  sql: Connection,
  organizationId: string,
  { referral_id, processor_customer_id, email, click_id }: CreateConversion,
): Promise<AttributedReferralRow | null> {
  const names = [
    ...(referral_id === undefined ? [] : [{ ids: [referral_id] }]),
    ...(processor_customer_id === undefined ? [] : [{ customer_ids: [processor_customer_id] }]),
    ...(email === undefined ? [] : [{ emails: [lowerCase(email)] }]),
    // With an email, the click is another person's, unless the email is a referral's.
    ...(click_id === undefined || email !== undefined ? [] : [{ attributed_by: signUpReferences(click_id) }]),
  ];
  for (const by of names) {
    const valid = await findValid(sql, organizationId, by);
    if (valid.length > 1)
      throw invalidField("email", "Several people signed up after this click. Send the email.");
    const found = valid[0] ?? (await findReferralOfPayer(sql, organizationId, by));
    if (found !== null) return found;
  }
  return null;
}

type Names = Partial<Parameters<typeof findCustomersReferrals>[2]>;

const NOBODY = { emails: [], customer_ids: [], attributed_by: [], ids: [], lock: false };

async function findValid(
  sql: Connection,
  organizationId: string,
  by: Names,
): Promise<AttributedReferralRow[]> {
  const found = await findCustomersReferrals(sql, organizationId, { ...NOBODY, ...by });
  return found.filter(({ replaced_at }) => replaced_at === null);
}

/** The first referral of a customer by another name that its payments have, such as the email of one with the customer's id. */
async function findReferralOfPayer(
  sql: Connection,
  organizationId: string,
  { emails = [], customer_ids = [] }: Names,
): Promise<AttributedReferralRow | null> {
  const keys = [...emails.map(emailKey), ...customer_ids.map(customerKey)];
  if (keys.length === 0) return null;
  const customers = await findCustomerKeys(sql, organizationId, keys);
  const facts = await loadFacts(sql, organizationId, [...new Set(customers.values())]);
  const [first, ...others] = await findValid(sql, organizationId, namesOf([...facts.values()].flat()));
  if (first === undefined) return null;
  return others.reduce((oldest, other) => (other.id < oldest.id ? other : oldest), first);
}

function unknownCustomer(): DomainError {
  return new DomainError("not_found", {
    message:
      "No referral has this customer, so no affiliate can earn. If an affiliate referred the customer, report the sign-up first, or send the click together with the email, and report the conversion again.",
  });
}
