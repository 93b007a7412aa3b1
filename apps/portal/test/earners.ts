/* Affiliates with much, hostile and no data, for the pages of money. */
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

type Context = Awaited<ReturnType<typeof makeContext>>;

export const JANE = "jane@example.com";
export const NOBODY = "max@example.com";
export const HOSTILE = "arabic@example.com";

const ARABIC = "شركة التسويق بالعمولة الدولية";
const MARKUP = '<img src=x onerror="alert(1)"> & <b>bold</b>';
const DASHBOARD_TEXT = `Welcome!

Our logos are at https://acme.example/press?a=1&b=2. Please write "Acme", **not** "ACME".
${MARKUP} javascript:alert(1)
${ARABIC} https://acme.example/ar`;

export interface Earners {
  context: Context;
  jane: { affiliate_id: string };
  /** Buys by a click of an affiliate. */
  buy: (affiliate: { affiliate_id: string }, sale: Sale) => Promise<void>;
}

interface Sale {
  number: number;
  days: number;
  amount?: bigint;
  currency?: string;
  email?: string;
  sub_id?: string;
}

const DAY_MILLISECONDS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MILLISECONDS);

/** An organization with an affiliate who earned in three currencies, one with hostile texts, and one who earned nothing. */
export async function createEarners(database: Database): Promise<Earners> {
  const context = await makeContext(database);
  await database`update organizations set payout_day = 1 where id = ${context.organization.id}`;
  const jane = await addPartner(
    context,
    {
      name: "Partner program",
      website_url: "https://acme.example",
      code_mode: "both",
      reference_coupon: "partners-20",
      limit_type: "months",
      limit_amount: 12,
      dashboard_text: DASHBOARD_TEXT,
    },
    { email: JANE, ref_code: "jane", promo_code: "JANE20" },
  );
  await addAffiliate(context, { campaign_id: jane.campaign_id, email: NOBODY, ref_code: "max" });
  const earners = { context, jane, buy: buyIn(context) };
  const sales: Sale[] = [
    { number: 1, days: 40, sub_id: "newsletter" },
    { number: 2, days: 38, amount: 19_900n },
    { number: 3, days: 36, amount: 4899n },
  ];
  for (const sale of sales) await earners.buy(jane, sale);
  await payOut(context);
  const later: Sale[] = [
    { number: 4, days: 20, amount: 4899n, sub_id: "newsletter" },
    { number: 5, days: 9, sub_id: "video-12" },
    { number: 6, days: 3, amount: 120_000n, currency: "JPY" },
    { number: 7, days: 2, amount: 9900n, currency: "EUR", sub_id: "newsletter" },
    { number: 8, days: 1 },
    { number: 9, days: 1 },
  ];
  for (const sale of later) await earners.buy(jane, sale);
  await report(
    context,
    refund({ subject: "re_1", amount_minor: 4900n, references: ["in_1"], at: daysAgo(1) }),
    refund({ subject: "re_8", amount_minor: 1960n, references: ["in_8"], at: daysAgo(0.5) }),
    refund({ subject: "re_9", amount_minor: 4900n, references: ["in_9"], at: daysAgo(0.4) }),
  );
  await addHostile(earners);
  return earners;
}

/** An affiliate with an organization and customers that write texts which break layouts. */
async function addHostile({ context, buy }: Earners): Promise<void> {
  const hostile = await addPartner(
    context,
    {
      name: "Hostile",
      website_url: `https://acme.example/${"path/".repeat(60)}`,
      dashboard_text: `${"x".repeat(5_000)} ${ARABIC} ${"https://acme.example/a ".repeat(200)}`.slice(
        0,
        10_000,
      ),
    },
    { email: HOSTILE, ref_code: "h".repeat(60) },
  );
  await buy(hostile, {
    number: 100,
    days: 3,
    email: `${"k".repeat(64)}@${"long-domain.".repeat(14)}example`,
  });
  await buy(hostile, { number: 101, days: 2, amount: 99_999_999_999_900n, sub_id: "s".repeat(64) });
  await buy(hostile, { number: 102, days: 2, amount: 99_999_999_900n, currency: "JPY" });
}

function buyIn(context: Context): Earners["buy"] {
  return async (affiliate, { number, days, amount = 4900n, currency = "USD", email, sub_id }) => {
    const customer = { customer_id: `cus_${number}`, email: email ?? `customer${number}@example.com` };
    const at = daysAgo(days);
    const click_at = new Date(at.getTime() - 3_600_000);
    const click_ids = [await click(context, { ...affiliate, at: click_at, sub_id: sub_id ?? null })];
    const [day] = click_at.toISOString().split("T");
    if (sub_id !== undefined) {
      await context.database`
        insert into sub_id_clicks (day, organization_id, affiliate_id, sub_id, clicks)
        values (${day ?? ""}, ${context.organization.id}, ${affiliate.affiliate_id}, ${sub_id}, ${number})
        on conflict (day, organization_id, affiliate_id, sub_id) do nothing`;
    }
    await report(
      context,
      checkout({ subject: `cs_${number}`, ...customer, click_ids, at }),
      payment({
        subject: `in_${number}`,
        ...customer,
        at,
        revenue_minor: amount,
        paid_minor: amount,
        currency,
      }),
    );
  };
}
