import type { Database } from "@findersfee/database/postgres/connect";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { updateSettings } from "@findersfee/domain/organizations/settings/update";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { addEarner, earn } from "@findersfee/domain/testing/ledger/program";
import { workPayoutRuns } from "@findersfee/domain/testing/work";
import { ARABIC, createPlace, MARKUP, type Place } from "../program.ts";

const LONG_AGO = new Date("2026-01-01T00:00:00.000Z");

interface Person {
  name: string;
  email: string;
  payout_email?: string;
  /** Commissions that are due, and those that are held. */
  due?: readonly number[];
  held?: readonly number[];
  currency?: string;
}

const PEOPLE: readonly Person[] = [
  {
    name: "Jane Doe",
    email: "jane@example.com",
    payout_email: "pay@jane.example",
    due: [98, 22.5],
    held: [24.5],
  },
  { name: "Max Roe", email: "max@example.com", due: [60] },
  { name: "Ann Poe", email: "ann@example.com", payout_email: "ann@example.com", due: [310], currency: "EUR" },
  { name: "Lee Moe", email: "lee@example.com", payout_email: "lee@example.com", held: [75, 12.25] },
  { name: "Kim Loe", email: "kim@example.com", payout_email: "kim@example.com", due: [49.99] },
  { name: ARABIC, email: "arabic@example.com", payout_email: "arabic@example.com", due: [88.2] },
  { name: MARKUP, email: "markup@example.com", payout_email: "markup@example.com", due: [51] },
];

/** An organization with affiliates who are owed: due, held, and below the minimum of 50 dollars. */
export async function createOwing(database: Database, name = "Acme"): Promise<Place> {
  const place = await createPlace(database, name);
  const { context } = place;
  await updateSettings(context, { minimum_payouts: { USD: 50 } });
  for (const person of PEOPLE) {
    const earner = await addEarner(context);
    const { name: first_name, email, payout_email = null, currency = "USD" } = person;
    await database`
      update affiliates set first_name = ${first_name}, last_name = '', email = ${email}, payout_email = ${payout_email}
      where organization_id = ${place.organization_id} and id = ${earner.affiliate_id}`;
    for (const amount of person.due ?? []) {
      await earn(context, earner, { amount, currency, referral_date: LONG_AGO });
    }
    for (const amount of person.held ?? []) await earn(context, earner, { amount, currency });
  }
  return place;
}

/** Lets an affiliate earn euros beside its dollars. */
export async function oweInEuros({ context, organization_id }: Place, email: string): Promise<void> {
  const { database } = context;
  const [row] = await database<{ affiliate_id: string; referral_id: string }[]>`
    select affiliate.id as affiliate_id, referral.id as referral_id
    from affiliates affiliate join referrals referral
      on referral.organization_id = affiliate.organization_id and referral.affiliate_id = affiliate.id
    where affiliate.organization_id = ${organization_id} and affiliate.email = ${email} limit 1`;
  if (row === undefined) throw new Error(`${email} has no referral`);
  await earn(context, row, { amount: 12, currency: "EUR", referral_date: LONG_AGO });
}

/** The ids of the affiliates by email. */
export async function affiliatesOf({ context, organization_id }: Place): Promise<Map<string, string>> {
  const rows = await context.database<{ id: string; email: string }[]>`
    select id, email from affiliates where organization_id = ${organization_id}`;
  return new Map(rows.map(({ id, email }) => [email, id]));
}

/** Pays one affiliate, erases it, and gets the money back. */
export async function returnAfterErasure({ context }: Place, affiliate_id: string): Promise<void> {
  const { database } = context;
  await startPayoutRun(context, { number: 2, affiliate_ids: [affiliate_id], method: "manual" });
  await finishRuns(database);
  const rows = await database<{ id: string }[]>`
    select id from payouts where organization_id = ${context.organization.id} and affiliate_id = ${affiliate_id}`;
  const ids = rows.map(({ id }) => id);
  await movePayouts(context, { ids, status: "paid", through_processing: true });
  await eraseAffiliate(context, affiliate_id);
  await movePayouts(context, { ids, status: "failed" });
}

export interface PayoutRow {
  id: string;
  affiliate_name: string;
  amount: string;
  currency: string;
}

/** Finishes the runs that were started. */
export async function finishRuns(database: Database): Promise<void> {
  await workPayoutRuns(database, new AbortController().signal);
}

/** The payouts of an organization by the name of the affiliate. */
export async function payoutsOf(
  database: Database,
  { organization_id }: Place,
): Promise<Map<string, PayoutRow>> {
  const rows = await database<PayoutRow[]>`
    select id, affiliate_name, (amount_minor / 100.0)::numeric(20, 2)::text as amount, currency from payouts
    where organization_id = ${organization_id}`;
  return new Map(rows.map((row) => [row.affiliate_name, row]));
}

/** Starts and finishes the run of this month, pays Jane, and fails Max. Returns the run's id. */
export async function payOwing(database: Database, place: Place): Promise<string> {
  const { id } = await startPayoutRun(place.context, { method: "paypal" });
  await finishRuns(database);
  const payouts = await payoutsOf(database, place);
  const idOf = (name: string) => payouts.get(name)?.id ?? "";
  await movePayouts(place.context, { ids: [idOf("Jane Doe")], status: "paid", through_processing: true });
  await movePayouts(place.context, {
    ids: [idOf("Max Roe")],
    status: "failed",
    reason: "Returned: the receiver's account is restricted",
  });
  return id;
}
