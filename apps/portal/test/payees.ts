/* Affiliates with payouts, for the pages of payouts, settings and the closed program. */
import type { Database } from "@findersfee/database/postgres/connect";
import {
  addAffiliate,
  addPartner,
  click,
  payOut,
  report,
} from "@findersfee/domain/testing/attribution/program";
import { checkout, payment, refund } from "@findersfee/domain/testing/attribution/reported";
import { makeContext } from "@findersfee/domain/testing/subscriber";

export const JANE = "jane@example.com";
export const NOBODY = "max@example.com";
export const HOSTILE = "hostile@example.com";
/** With amounts of a billion, and a long name. */
export const BILLIONS = "billions@example.com";
export const BILLIONS_NAME = "Wilhelmina Freifrau von und zu Hohenlohe-Waldenburg-Schillingsfürst "
  .repeat(4)
  .trim();

/** The lines of Jane's first statement: more than the page loads at once. */
export const LINES = 620;

const ARABIC = "شركة التسويق بالعمولة الدولية";
export const MARKUP = '<img src=x onerror="alert(1)"> & <b>bold</b>';
const LONG_NAME = `${ARABIC} ${MARKUP} ${"Donaudampfschifffahrt".repeat(480)}`.slice(0, 10_000);

export interface Payees {
  organization_id: string;
  jane: string;
  hostile: string;
}

const at = (days: number) => new Date(Date.now() - days * 86_400_000);

/** Jane has a long payout, one with a reversal, and one under way; another one has hostile texts, and one has nothing. */
export async function createPayees(database: Database): Promise<Payees> {
  const context = await makeContext(database);
  const { id: organization_id } = context.organization;
  const partner = { name: "Partner program", website_url: "https://acme.example" };
  const jane = await addPartner(context, partner, {
    email: JANE,
    first_name: "Jane",
    last_name: "Doe",
    payout_email: "money@jane.example",
  });
  await addAffiliate(context, { campaign_id: jane.campaign_id, email: NOBODY });
  const hostile = await addAffiliate(context, { campaign_id: jane.campaign_id, email: HOSTILE });
  await database`update organizations set support_email = 'help@acme.example' where id = ${organization_id}`;
  const buy = async (
    affiliate_id: string,
    name: string,
    payments: ReturnType<typeof payment>[],
    days: number,
  ) => {
    const customer = { customer_id: `cus_${name}`, email: `${name}@customers.example` };
    const click_ids = [await click(context, { affiliate_id, at: at(days + 0.1) })];
    await report(
      context,
      checkout({ subject: `cs_${name}`, ...customer, click_ids, at: at(days) }),
      ...payments.map((made) => ({ ...made, ...customer })),
    );
  };
  const paid = (subject: string, days: number, revenue_minor: bigint, currency = "USD") =>
    payment({ subject, at: at(days), revenue_minor, paid_minor: revenue_minor, currency });
  const many = Array.from({ length: LINES }, (_, number) =>
    paid(`in_${number}`, 70 - number / 100, BigInt(4900 + number)),
  );
  await buy(jane.affiliate_id, "kim", many, 71);
  const billions = await addAffiliate(context, {
    campaign_id: jane.campaign_id,
    email: BILLIONS,
    first_name: BILLIONS_NAME,
  });
  const amounts = [
    paid("in_usd", 70, 411_522_630_040n),
    paid("in_vnd", 69, 4_115_226_300n, "VND"),
    paid("in_yen", 68, 4_115_226_300n, "JPY"),
  ];
  await buy(billions, "a-customer-with-a-long-address", amounts, 71);
  await buy(hostile, "x", [paid("in_x", 70, 100_000n)], 71);
  await payOut(context);
  await buy(
    jane.affiliate_id,
    "lee",
    [paid("in_lee", 30, 90_000n), paid("in_jpy", 29, 1_200_000n, "JPY")],
    31,
  );
  await report(context, refund({ subject: "re_1", amount_minor: 4900n, references: ["in_0"], at: at(20) }));
  await payOut(context, "pending");
  await buy(jane.affiliate_id, "ann", [paid("in_ann", 3, 30_000n)], 4);
  await database`
    update affiliates set first_name = ${LONG_NAME}, last_name = ${ARABIC}, details = ${MARKUP},
      custom_fields = ${database.json([{ id: "q", label: `${MARKUP} ${ARABIC}`, value: LONG_NAME }])}
    where id = ${hostile}`;
  await database`update payouts set affiliate_name = ${LONG_NAME} where affiliate_id = ${hostile}`;
  return { organization_id, jane: jane.affiliate_id, hostile };
}
