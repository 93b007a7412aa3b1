/*
 * The records and numbers behind signals of fraud that campaigns of an any-order world find before the first
 * report. Its rows are named `known…`, and no result contains them.
 */
import { insertAffiliateNetworks } from "@findersfee/database/tracking/networks";
import type { Context } from "../../src/context.ts";
import { click, report } from "./program.ts";
import { charge, payment, second } from "./reported.ts";

const DAY = 24 * 60 * 60;

/** The network of the clicks, from which the affiliate's portal was used, too. */
export const NETWORK = "0a".repeat(16);

/** The card of every second customer of a story. */
export const CARD = "card_0";

/** The affiliate used the network of clicks at a time, and paid with a card. */
export async function addRecords(
  context: Context,
  { affiliate_id, email, at }: { affiliate_id: string; email: string; at: Date },
): Promise<void> {
  const { id: organization_id } = context.organization;
  await insertAffiliateNetworks(
    context.database,
    [{ organization_id, affiliate_id, network_hash: NETWORK }],
    at,
  );
  const paid = { customer_id: "known_cus", email, at: second(0) };
  await report(
    context,
    payment({ subject: "known_in", ...paid, references: ["known_pi"] }),
    charge({ subject: "known_ch", ...paid, payment_id: "known_pi", references: ["known_pi"], card: CARD }),
  );
}

/** Clicks around one, from one network. */
export async function addClicks(context: Context, affiliate_id: string, at: Date): Promise<void> {
  for (let number = 1; number <= 20; number++) {
    const clicked_at = new Date(at.getTime() + number * 1_000);
    await click(context, { affiliate_id, at: clicked_at, network_hash: NETWORK });
  }
}

/** Sign-ups in the minutes of every twelfth day, on which customers of stories sign up, too. */
export async function addSignUps({ database, organization }: Context, affiliate_id: string): Promise<void> {
  await database`
    insert into referrals (organization_id, id, affiliate_id, email, subscription_status, signup_date, created_at)
    select ${organization.id}, (left(first_id_of(at)::text, 15) || right(gen_random_uuid()::text, 21))::uuid, ${affiliate_id}, 'known' || day || '_' || number || '@customers.test',
      'signed_up', at, at
    from generate_series(0, 120, 12) as day, generate_series(1, 25) as number
    cross join lateral (
      select ${second(0)}::timestamptz + day * interval '1 day' + number * interval '1 second' as at) as moment`;
}

/** The affiliate's last payments, all of them refunded, and as many of nobody's that were not. */
export async function addRefunds({ database, organization }: Context, affiliate_id: string): Promise<void> {
  const paid_at = second(400 * DAY);
  await database`
    insert into payment_decisions (organization_id, id, processor, payment_id, customer_id, outcome, affiliate_id,
      currency, revenue_minor, commission_minor, paid_minor, reversed_minor, paid_at, explanation, created_at, decided_at)
    select ${organization.id}, gen_random_uuid(), 'generic', 'known_' || number, gen_random_uuid(),
      case when number % 2 = 0 then 'limit_reached' else 'no_referral' end,
      case when number % 2 = 0 then ${affiliate_id}::uuid end,
      'USD', 100, 0, 100, case when number % 2 = 0 then 100 else 0 end, ${paid_at},
      '{"candidates":[],"earned_before":0,"steps":[],"exact":null}', now(), now()
    from generate_series(1, 200) as number`;
}
