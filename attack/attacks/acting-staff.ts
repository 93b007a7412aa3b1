import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { addMember, ownerOf } from "../members.ts";
import { createAffiliates, unique } from "../program.ts";
import { listOf, textOf } from "../request.ts";

/** Opens an affiliate's portal as an admin: with a token of a program, which can change things, and with the view, which is to be audited. */
export const actingStaff: Attack = {
  id: "S12",
  name: "an admin acts as an affiliate without a trace",
  run: async (target) => {
    const owner = await ownerOf(target);
    const admin = await addMember(target, owner, "admin");
    const [affiliate] = await createAffiliates(target, 1);
    if (affiliate === undefined) throw new Error("the affiliate was not created");
    const { id } = affiliate;
    const token = await admin.change("portal_tokens.create", { affiliate_id: id });
    if (token.status === 200) return succeeded("a person can make a portal token");
    const { url } = dataOf(await admin.change("dashboard.affiliates.viewPortal", { id }));
    const browser = new Browser(target);
    const view = { token: new URL(textOf(url)).hash.slice(1) };
    const session = textOf(dataOf(await browser.post("/portal/auth/view", view)).session);
    const headers = { "findersfee-portal-session": session, "findersfee-affiliate": id };
    dataOf(await browser.query("/portal/trpc/me.get", undefined, headers));
    const claim = {
      email: `${unique("customer")}@example.com`,
      paid_on: "2026-11-20",
      note: "Made by staff",
    };
    const claimed = await browser.post("/portal/trpc/claims.create", claim, headers);
    if (claimed.status === 200) return succeeded("the view of an affiliate's portal changes something");
    const { data } = await owner.read("dashboard.changes.list", { resource_id: id });
    const is_audited = listOf(data).some(
      ({ action, actor }) => action === "viewed" && actor === `user ${admin.user_id}`,
    );
    return is_audited
      ? repelled(
          `the token got ${token.status}, a claim in the view ${claimed.status}, and the view is audited`,
        )
      : succeeded("the view is not in the audit log");
  },
};
