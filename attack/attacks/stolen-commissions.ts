import { type Attack, repelled, succeeded } from "../attack.ts";
import { clickLink, createAffiliates, findReferrals, reportSignUp, unique } from "../program.ts";
import { callApi } from "../request.ts";

/**
 * Claims customers through the public sign-up call: another affiliate's customer, and one identified only by
 * the processor's id.
 */
export const stolenCommissions: Attack = {
  id: "S2",
  name: "a public sign-up claims customers of others",
  run: async (target) => {
    const [honest, thief] = await createAffiliates(target, 2);
    if (honest === undefined || thief === undefined) throw new Error("the affiliates were not created");
    const victim = { email: `${unique("victim")}@example.com`, processor_customer_id: unique("cus") };
    await callApi(target, "/referrals", { body: { affiliate_id: honest.id, ...victim } });
    const click_id = await clickLink(target, thief);
    if (click_id === null) throw new Error("the click of the attacker's link did not count");
    await reportSignUp(target, { click_id, email: victim.email });
    await reportSignUp(target, {
      click_id,
      email: `${unique("other")}@example.com`,
      processor_customer_id: victim.processor_customer_id,
    });
    const payer = unique("cus");
    await reportSignUp(target, {
      click_id,
      email: `${unique("third")}@example.com`,
      processor_customer_id: payer,
    });
    const claimed = await findReferrals(target, { processor_customer_id: payer });
    if (claimed.length > 0) return succeeded("a sign-up claimed another person's customer id");
    const stolen = (await findReferrals(target, { affiliate_id: thief.id })).filter(
      ({ email, processor_customer_id }) =>
        email === victim.email || processor_customer_id === victim.processor_customer_id,
    );
    if (stolen.length > 0) return succeeded("a sign-up took the customer of another affiliate");
    const kept = await findReferrals(target, { affiliate_id: honest.id, email: victim.email });
    return kept.length === 1
      ? repelled("the customer stayed with the referring affiliate")
      : succeeded("the customer moved away from the referring affiliate");
  },
};
