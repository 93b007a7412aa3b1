/* Rules for tags: those of the affiliate when a payment is first decided. */
import { expect, it } from "vitest";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { PaymentMade } from "../../src/attribution/facts/payment-fact.ts";
import { listPaymentDecisions } from "../../src/attribution/list.ts";
import { rerunPayment } from "../../src/attribution/rerun.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { addPartner, click, type Partner, report } from "./program.ts";
import { payment, refund, second } from "./reported.ts";
import { percent, rule } from "./rules.ts";

const DAY = 24 * 60 * 60;

let context: CreationContext;
let partner: Partner;
let click_id: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, click_id } = program);
});

const pay = (subject: string, at: number, fields: Partial<PaymentMade> = {}) =>
  report(
    context,
    payment({
      ...{
        subject,
        at: second(at),
        paid_at: second(at),
        customer_id: "cus_1",
        email: "buyer@customers.test",
      },
      ...{ click_ids: [click_id], ...fields },
    }),
  );

const tag = (...tags: string[]) => updateAffiliate(context, { id: partner.affiliate_id, tags });

async function decisions() {
  const { data } = await listPaymentDecisions(context, { limit: 100, page: 1 } as never);
  return Object.fromEntries(
    data.map((decision) => [
      decision.processor_payment_id,
      { id: decision.id, commission: decision.commission_amount, steps: decision.explanation.steps },
    ]),
  );
}

const setRules = () =>
  updateCampaign(context, {
    id: partner.campaign_id,
    rules: [rule({ tags: ["agency", "vip"] }, percent(50), "Agencies")],
  });

it("decide by the tags at the first decision, whatever changes later", async () => {
  await setRules();
  await tag("vip", "other");
  await pay("in_1", DAY);
  await tag("other");
  await pay("in_2", 2 * DAY);
  await report(
    context,
    refund({ subject: "re_1", references: ["in_1"], at: second(3 * DAY), amount_minor: 5_000n }),
  );
  await tag("agency");
  await pay("in_3", 4 * DAY);
  const made = await decisions();
  expect(made).toMatchObject({
    in_1: { commission: 50, steps: [{ rule: "rule", rule_name: "Agencies", tags: ["vip"] }] },
    in_2: { commission: 30, steps: [{ rule: "campaign" }] },
    in_3: { commission: 50, steps: [{ rule: "rule", tags: ["agency"] }] },
  });
  expect(made.in_2?.steps[0]).not.toHaveProperty("tags");
  // A person asks for the current settings.
  expect(await rerunPayment(context, made.in_2?.id ?? "")).toMatchObject({ commission_amount: 50 });
});

it("decide the same for a payment that is reported again, and for one that was made before it", async () => {
  await setRules();
  await tag("agency");
  await pay("in_2", 2 * DAY);
  await tag();
  await pay("in_2", 2 * DAY, { revenue_minor: 20_000n, at: second(2 * DAY + 1) });
  await pay("in_1", DAY);
  expect(await decisions()).toMatchObject({ in_1: { commission: 30 }, in_2: { commission: 100 } });
});

it("store nothing about affiliates without tags", async () => {
  await pay("in_1", DAY);
  const other = await addPartner(context, {}, { tags: ["agency"] });
  click_id = await click(context, { affiliate_id: other.affiliate_id, at: second(1) });
  await pay("in_2", DAY, { customer_id: "cus_2", email: "other@customers.test" });
  const rows = await context.database`
    select subject, snapshot #> '{affiliates,0,tags}' as tags from payment_facts
    where organization_id = ${context.organization.id} and kind = 'payment' order by subject`;
  expect(rows).toEqual([
    { subject: "in_1", tags: null },
    { subject: "in_2", tags: ["agency"] },
  ]);
});
