import { type Attack, repelled, succeeded } from "../attack.ts";
import { changeInPortal, joinProgram, openProgram } from "../portal.ts";
import { callApi } from "../request.ts";

const CHANGES = 60;
/** The most that an affiliate may change in 24 hours. */
const ALLOWED = 20;

/** Fills the organization's audit log as an affiliate, until nobody could change anything any more: not even ban the affiliate. */
export const filledAuditLog: Attack = {
  id: "S9",
  name: "an affiliate uses up the quota of the organization's audit log",
  run: async (target) => {
    const affiliate = await joinProgram(target, await openProgram(target));
    let changes = 0;
    for (let change = 0; change < CHANGES; change++) {
      const answer = await changeInPortal(affiliate, "settings.update", { first_name: `Bob ${change}` });
      if (answer.status === 200) changes++;
    }
    await callApi(target, `/affiliates/${affiliate.id}`, { method: "PUT", body: { banned: true } });
    return changes > ALLOWED
      ? succeeded(`an affiliate wrote ${changes} entries at once`)
      : repelled(`${changes} of ${CHANGES} changes of an affiliate were accepted, and it was banned`);
  },
};
