import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { awaitCode } from "../mails.ts";
import { rivalOf } from "../members.ts";
import { addToRival, joinProgram, openProgram } from "../portal.ts";

/** Erases an affiliate with the address of another organization's, between its request for a code and its sign-in. */
export const erasedCodes: Attack = {
  id: "S21",
  name: "another organization's erasure deletes an affiliate's codes",
  run: async (target) => {
    const rival = await rivalOf(target);
    const { email } = await joinProgram(target, await openProgram(target));
    const former = await awaitCode(target, email);
    const affiliate_id = await addToRival(rival, email);
    const browser = new Browser(target);
    dataOf(await browser.post("/portal/auth/code", { email }));
    const code = await awaitCode(target, email, (other) => other !== former);
    dataOf(await rival.change("dashboard.erasures.affiliate", { affiliate_id }));
    const { status } = await browser.post("/portal/auth/sign-in", { code });
    return status === 200
      ? repelled("the code was accepted after the erasure")
      : succeeded(`the code got ${status} after the erasure`);
  },
};
