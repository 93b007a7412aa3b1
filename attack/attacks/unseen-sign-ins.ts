import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { awaitMail } from "../mails.ts";
import { addMember, ownerOf } from "../members.ts";
import { unique } from "../program.ts";
import { listOf } from "../request.ts";

const MAILED = "Your password was changed";
const RECORDED = ["sign_in_failed", "signed_in_on_new_device", "password_changed"];

/** Takes a member's account over: a wrong password, a sign-in on another device, another password. */
export const unseenSignIns: Attack = {
  id: "S19",
  name: "nobody notices that an account is taken over",
  run: async (target) => {
    const owner = await ownerOf(target);
    const { email, password, user_id } = await addMember(target, owner, "viewer");
    const thief = new Browser(target);
    await thief.post("/auth/sign-in", { email, password: unique("wrong-secret") });
    dataOf(await thief.post("/auth/sign-in", { email, password }));
    const change = { current_password: password, password: unique("long-secret") };
    dataOf(await thief.post("/account/trpc/credentials.change_password", change));
    const { data } = await owner.read("dashboard.security_events.list", { user_id });
    const kinds = listOf(data).map(({ kind }) => kind);
    const unrecorded = RECORDED.filter((kind) => !kinds.includes(kind));
    if (unrecorded.length > 0) return succeeded(`owners do not see ${unrecorded.join(", ")}`);
    const mail = await awaitMail(target, email, ({ subject }) => subject === MAILED);
    return mail === null
      ? succeeded(`the member got no mail “${MAILED}”`)
      : repelled("the member got a mail, and the owners see the events");
  },
};
