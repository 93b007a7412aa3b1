import { transaction } from "@findersfee/database/postgres/connect";
import { recordFacts } from "@findersfee/domain/attribution/record-facts";
import type { Program } from "./program.ts";
import type { TestService } from "./test-service.ts";

/** The resources that overrides and backtests can name. */
export interface Overridable {
  /** An affiliate beside the program's. */
  other_affiliate_id: string;
  /** A payment that earned nothing. */
  payment_id: string;
  /** A stop of a customer beside the program's. */
  override_id: string;
  /** A backtest of the program's campaign. */
  backtest_id: string;
}

let paid = 0;

/** Adds the resources that overrides and backtests can name to a program. */
export async function addOverridable(
  { database }: TestService,
  {
    organization: { trpc, organization_id },
    campaign,
    affiliate,
  }: Pick<Program, "organization" | "campaign" | "affiliate">,
): Promise<Overridable> {
  const other = await trpc.affiliates.create.mutate({ email: `other-${++paid}@example.com` });
  const stopped = await trpc.referrals.create.mutate({
    affiliate_id: affiliate.id,
    email: `stopped-${paid}@example.com`,
  });
  const stop = await trpc.referrals.stop.mutate({ referral_id: stopped.id, reason: "Fraud" });
  // As in the reference.
  const payment_id = "in_1Pj";
  const organization = { id: organization_id, currency: "USD", subscription_status: "active" as const };
  await transaction(database, (sql) =>
    recordFacts(sql, organization, [
      {
        processor: "stripe",
        message_id: `evt_unreferred_${paid}`,
        fact: {
          kind: "payment",
          subject: payment_id,
          at: new Date(),
          rank: 0,
          references: [],
          belongs_to: [],
          customer_id: `cus_unreferred_${paid}`,
          email: `unreferred-${paid}@example.com`,
          promo_codes: [],
          click_ids: [],
          paid_at: new Date(),
          currency: "USD",
          revenue_minor: 10_000n,
          paid_minor: 10_000n,
          lines: [],
        },
      },
    ]),
  );
  const { id: backtest_id } = await trpc.backtests.create.mutate({ campaign: { campaign_id: campaign.id } });
  return { other_affiliate_id: other.id, payment_id, override_id: stop.override?.id ?? "", backtest_id };
}
