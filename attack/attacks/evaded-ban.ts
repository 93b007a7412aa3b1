import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { awaitCode } from "../mails.ts";
import { ownerOf } from "../members.ts";
import { changeInPortal, joinProgram, openProgram, sendApplication } from "../portal.ts";
import { fieldsOf } from "../request.ts";

const REASON = "Self-referral fraud";

/** Has the data of a banned affiliate erased, and joins again with the same address. */
export const evadedBan: Attack = {
  id: "S10",
  name: "a banned affiliate joins again after it erased itself",
  run: async (target) => {
    const owner = await ownerOf(target);
    const program = await openProgram(target);
    const { id, email, browser } = await joinProgram(target, program);
    dataOf(await owner.change("dashboard.affiliates.ban", { ids: [id], reason: REASON }));
    const erased = await changeInPortal({ id, browser }, "leaving.erase", { email });
    const again = new Browser(target);
    dataOf(await sendApplication(again, program, email));
    const first = await awaitCode(target, email);
    const code = await awaitCode(target, email, (other) => other !== first);
    const joined = await again.post("/portal/auth/sign-in", { code });
    if (joined.status === 200 && fieldsOf(dataOf(joined).joined).is_new === true) {
      return succeeded("the address of a banned affiliate joined again");
    }
    const { erased_ban, ban_reason } = await owner.read("dashboard.affiliates.get", { id });
    return JSON.stringify({ erased_ban, ban_reason }).includes(REASON)
      ? repelled(`the erasure got ${erased.status}, the address was refused, and the reason stayed`)
      : succeeded("the erasure deleted the reason of the ban");
  },
};
