/*
 * A program without any feature that came after the recording, and its customers' reports. The recording was made by this
 * file in an earlier version of the service.
 */
import { addPartner, click, payOut, report } from "@findersfee/domain/testing/attribution/program";
import {
  charge,
  checkout,
  dispute,
  payment,
  refund,
  refundedTotal,
  second,
  signUp,
} from "@findersfee/domain/testing/attribution/reported";
import { type Client, textsOf } from "./texts.ts";

const CAMPAIGNS = {
  first: {
    commission_amount: 30,
    first_payment_commission: { enabled: true, type: "percentage", amount: 50 },
    limit_type: "payments",
    limit_amount: 3,
  },
  fixed: { commission_type: "fixed", commission_amount: 12.5, attribution: "first_click", customers: "new" },
  products: {
    custom_commission_type: "product",
    custom_commissions: [
      { product_id: "prod_a", type: "percentage", amount: 12.5 },
      { product_id: "prod_b", type: "fixed", amount: 3 },
    ],
    limit_type: "months",
    limit_amount: 2,
    customers: "any",
  },
  capped: { commission_amount: 40, commission_cap: 25, skip_prorations: true },
} as const;

const DAY = 24 * 60 * 60;
/** A bit more than any month, so that limits of months do not depend on the date. */
const MONTH = 32 * DAY;

/** Tells the story; returns the decisions and the answers of the API. */
export async function recordStory(client: Client, paths: readonly string[]) {
  const partners: Record<string, { affiliate_id: string; campaign_id: string }> = {};
  for (const [name, fields] of Object.entries(CAMPAIGNS)) {
    const own = { name, code_mode: "both", reference_coupon: "coupon", ...fields } as never;
    const affiliate = {
      email: `${name}@partners.test`,
      first_name: "Jane",
      last_name: "Doe",
      ref_code: name,
      promo_code: `${name.toUpperCase()}10`,
    };
    partners[name] = await addPartner(client.context, own, affiliate);
  }
  const clickOf = async (name: string, at: Date) =>
    await click(client.context, { affiliate_id: partners[name]?.affiliate_id ?? "", at });
  await subscribe(client, clickOf);
  await buyOnce(client, clickOf);
  await moveAndTakeBack(client, clickOf);
  await byHand(client, partners.first?.affiliate_id ?? "");
  await payOut(client.context);
  const lost = { subject: "dp_1", amount_minor: 5_000n, references: ["pi_sub_2"] };
  await report(client.context, dispute({ ...lost, at: second(3 * MONTH) }));
  await payOut(client.context, "pending");
  return await textsOf(client, paths);
}

type ClickOf = (name: string, at: Date) => Promise<string>;

/** A subscription of each campaign, with renewals, of which some are in another currency or of other products. */
async function subscribe({ context }: Client, clickOf: ClickOf): Promise<void> {
  for (const [index, name] of Object.keys(CAMPAIGNS).entries()) {
    const customer = { customer_id: `cus_${name}`, email: `${name}@customers.test` };
    const start = index * DAY;
    const click_ids = [await clickOf(name, second(start))];
    await report(
      context,
      checkout({ subject: `cs_${name}`, ...customer, click_ids, at: second(start + 60) }),
    );
    for (const number of [1, 2, 3, 4]) {
      const subject = name === "first" ? `in_sub_${number}` : `in_${name}_${number}`;
      const reference = name === "first" ? `pi_sub_${number}` : `pi_${name}_${number}`;
      const lines = [
        { product_id: "prod_a", amount_minor: 6_000n, interval: "month" },
        { product_id: number % 2 === 0 ? "prod_b" : "prod_c", amount_minor: 4_000n, interval: "month" },
      ] as const;
      const paid = payment({
        subject,
        ...customer,
        at: second(start + 120 + (number - 1) * MONTH),
        references: [reference],
        ...(name === "products" ? { lines: [...lines] } : {}),
        ...(number === 3 ? { currency: "EUR" } : {}),
      });
      await report(context, paid);
    }
  }
}

/** Customers without a subscription: of nobody, of themselves, before their referral, by a charge alone. */
async function buyOnce({ context }: Client, clickOf: ClickOf): Promise<void> {
  await report(
    context,
    payment({ subject: "in_nobody", customer_id: "cus_9", email: "nobody@customers.test", at: second(9) }),
  );
  const self = { customer_id: "cus_self", email: "first@partners.test" };
  const of_self = [await clickOf("first", second(DAY))];
  await report(context, checkout({ subject: "cs_self", ...self, click_ids: of_self, at: second(DAY + 1) }));
  await report(context, payment({ subject: "in_self", ...self, at: second(DAY + 2) }));
  const early = { customer_id: "cus_early", email: "early@customers.test" };
  await report(context, payment({ subject: "in_early", ...early, at: second(2 * DAY) }));
  const of_early = await clickOf("first", second(3 * DAY));
  await report(context, signUp({ click_id: of_early, email: early.email, at: second(3 * DAY + 1) }));
  await report(context, payment({ subject: "in_late", ...early, at: second(4 * DAY) }));
  const charged = { customer_id: "cus_charged", email: "charged@customers.test" };
  const of_charged = [await clickOf("capped", second(5 * DAY))];
  await report(
    context,
    checkout({ subject: "cs_charged", ...charged, click_ids: of_charged, at: second(5 * DAY + 1) }),
  );
  await report(context, charge({ subject: "pi_charged", ...charged, at: second(5 * DAY + 2) }));
}

/** A customer with older evidence for another affiliate, with refunds and a dispute that was won. */
async function moveAndTakeBack({ context }: Client, clickOf: ClickOf): Promise<void> {
  const customer = { customer_id: "cus_moved", email: "moved@customers.test" };
  const late = [await clickOf("capped", second(10 * DAY))];
  const early = [await clickOf("first", second(6 * DAY))];
  await report(
    context,
    checkout({ subject: "cs_late", ...customer, click_ids: late, at: second(10 * DAY + 1) }),
  );
  for (const number of [1, 2, 3]) {
    const at = second((10 + number) * DAY);
    await report(
      context,
      payment({ subject: `in_moved_${number}`, ...customer, at, references: [`pi_moved_${number}`] }),
    );
  }
  await report(
    context,
    checkout({ subject: "cs_early", ...customer, click_ids: early, at: second(6 * DAY + 1) }),
  );
  const taken = { at: second(20 * DAY), references: ["pi_moved_1"] };
  await report(context, refund({ subject: "re_1", amount_minor: 2_500n, ...taken }));
  await report(
    context,
    refundedTotal({
      subject: "pi_moved_2",
      amount_minor: 10_000n,
      at: second(21 * DAY),
      references: ["pi_moved_2"],
    }),
  );
  const disputed = { subject: "dp_2", amount_minor: 10_000n, references: ["pi_moved_3"] };
  await report(context, dispute({ ...disputed, at: second(22 * DAY) }));
  await report(
    context,
    dispute({ ...disputed, at: second(23 * DAY), since: second(22 * DAY), until: second(23 * DAY), rank: 1 }),
  );
}

/** What the organization's backend creates. */
async function byHand({ rest }: Client, affiliate_id: string): Promise<void> {
  const { body: referral } = await rest("POST", "/referrals", {
    affiliate_id,
    email: "byhand@customers.test",
    subscription_status: "active",
  });
  const referral_id = (referral as { data: { id: string } }).data.id;
  const { body: commission } = await rest("POST", "/commissions", {
    referral_id,
    revenue_amount: 80,
    commission_amount: 16,
    processor_payment_id: "pi_byhand",
  });
  const { id } = (commission as { data: { id: string } }).data;
  await rest("PATCH", `/commissions/${id}`, { commission_amount: 18.5 });
}
