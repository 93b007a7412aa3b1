import { type Attack, repelled, succeeded } from "../attack.ts";
import { dataOf } from "../browser.ts";
import { awaitCode, awaitMail } from "../mails.ts";
import { changeInPortal, joinProgram, openProgram, readInPortal } from "../portal.ts";
import { unique } from "../program.ts";

/** Sends an affiliate's payouts to another address, with the affiliate's stolen session and the mails to that address alone. */
export const redirectedPayouts: Attack = {
  id: "S13",
  name: "a stolen session of the portal redirects payouts",
  run: async (target) => {
    const affiliate = await joinProgram(target, await openProgram(target));
    const thief = { id: affiliate.id, browser: affiliate.browser.copy() };
    const email = `${unique("thief")}@example.com`;
    dataOf(await changeInPortal(thief, "settings.request_payout_email", { email }));
    const code = await awaitCode(target, email);
    const statuses: number[] = [];
    for (const sent of [{ code }, { code, sign_in_code: code }]) {
      statuses.push((await changeInPortal(thief, "settings.confirm_payout_email", sent)).status);
    }
    const { payout_email } = await readInPortal(affiliate, "settings.get");
    if (payout_email === email) return succeeded("payouts go to the thief's address");
    const warning = await awaitMail(target, affiliate.email, ({ text }) => text.includes(email));
    return warning === null
      ? succeeded("the affiliate got no mail about the thief's address")
      : repelled(`the thief's code alone got ${statuses.join(" and ")}, and the affiliate was warned`);
  },
};
