import { describe, expect, it } from "vitest";
import type { PaymentFact } from "../../src/attribution/facts/payment-fact.ts";
import type { Context } from "../../src/context.ts";
import { beforeEachInNewProgram } from "./new-program.ts";
import { apply, click, commissions, outcomes, type Partner, referrals } from "./program.ts";
import { checkout, customer, link, payment, second } from "./reported.ts";

const EMAIL = "buyer@customers.test";

let context: Context;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

async function clicked(at = second(10)): Promise<{ click_ids: string[] }> {
  return { click_ids: [await click(context, { affiliate_id: partner.affiliate_id, at })] };
}

/** Reports each in a message and a transaction of its own. */
async function report(processor: "stripe" | "generic", facts: readonly PaymentFact[]): Promise<void> {
  for (const fact of facts) {
    await apply(context, [{ processor, message_id: `${fact.kind} ${fact.subject}`, fact }]);
  }
}

describe.each(["stripe", "generic"] as const)("%s", (processor) => {
  describe.each(["in order", "in reverse"] as const)("%s", (order) => {
    const reportAll = (...events: PaymentFact[]) =>
      report(processor, order === "in order" ? events : events.toReversed());

    it("binds the customer of a checkout by the email of a payment", async () => {
      await reportAll(
        checkout({ subject: "cs_1", customer_id: "cus_1", at: second(100), ...(await clicked()) }),
        payment({ subject: "in_1", customer_id: "cus_1", email: EMAIL, at: second(900) }),
        payment({ subject: "in_2", customer_id: "cus_1", at: second(500) }),
      );
      expect(await outcomes(context)).toEqual({ in_1: "commission", in_2: "commission" });
      expect(await referrals(context)).toMatchObject([{ email: EMAIL, processor_customer_id: "cus_1" }]);
    });

    it("binds the customer of a promo code by a record without an email", async () => {
      const { click_ids } = await clicked();
      await reportAll(
        customer({ subject: "cus_1", customer_id: "cus_1", click_ids, at: second(100) }),
        payment({ subject: "in_1", customer_id: "cus_1", at: second(200) }),
        checkout({ subject: "cs_9", customer_id: "cus_1", email: EMAIL, at: second(900) }),
      );
      expect(await outcomes(context)).toEqual({ in_1: "commission" });
    });

    it("binds a guest with a link by the email of the payment", async () => {
      await reportAll(
        checkout({ subject: "cs_1", references: ["pi_1"], at: second(100), ...(await clicked()) }),
        link({ subject: "inpay_1", references: ["in_1", "pi_1"], at: second(150) }),
        payment({ subject: "in_1", email: EMAIL, at: second(200) }),
      );
      expect(await outcomes(context)).toEqual({ in_1: "commission" });
    });

    it("uses the email that the customer had at the time", async () => {
      await reportAll(
        payment({ subject: "in_1", customer_id: "cus_1", email: "old@customers.test", at: second(50) }),
        checkout({ subject: "cs_1", customer_id: "cus_1", at: second(100), ...(await clicked()) }),
        payment({ subject: "in_2", customer_id: "cus_1", email: "new@customers.test", at: second(200) }),
      );
      expect(await outcomes(context)).toEqual({ in_1: "no_referral", in_2: "commission" });
      expect(await referrals(context)).toMatchObject([{ email: "old@customers.test" }]);
    });

    it("names the missing email as the reason, also after a click that does not count", async () => {
      const brought = await clicked();
      const later = second(40 * 24 * 60 * 60);
      await reportAll(
        checkout({ subject: "cs_1", customer_id: "cus_1", at: second(100), ...brought }),
        checkout({ subject: "cs_2", customer_id: "cus_1", at: later, ...brought }),
        payment({ subject: "in_1", customer_id: "cus_1", at: new Date(later.getTime() + 1000) }),
      );
      expect(await outcomes(context)).toEqual({ in_1: "no_email" });
    });

    it("creates one referral for two customer ids with one email", async () => {
      const brought = await clicked();
      await reportAll(
        checkout({ subject: "cs_1", customer_id: "cus_1", at: second(100), ...brought }),
        payment({ subject: "in_1", customer_id: "cus_1", email: EMAIL, at: second(200) }),
        payment({ subject: "in_2", customer_id: "cus_2", email: EMAIL.toUpperCase(), at: second(300) }),
        payment({ subject: "in_3", customer_id: "cus_3", email: "other@customers.test", at: second(300) }),
      );
      expect(await outcomes(context)).toEqual({
        in_1: "commission",
        in_2: "commission",
        in_3: "no_referral",
      });
      expect(await referrals(context)).toHaveLength(1);
      expect(await commissions(context)).toHaveLength(2);
    });
  });
});
