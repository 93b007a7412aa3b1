import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { awaitMail } from "../mails.ts";
import { rivalOf } from "../members.ts";
import { addToRival, joinProgram, openProgram, readInPortal } from "../portal.ts";
import { unique } from "../program.ts";
import { listOf } from "../request.ts";

/** An organization's name with an address that its reader would open. */
const NAME = "Acme. SUSPENDED: verify at https://acme-verify.example/login";

/** Adds the affiliate of another organization, so that its mails have the rival's words, and its portal the rival's program. */
export const foreignWords: Attack = {
  id: "S14",
  name: "another organization writes into an affiliate's mails and portal",
  run: async (target) => {
    const rival = await rivalOf(target);
    const affiliate = await joinProgram(target, await openProgram(target));
    const named = await rival.change("dashboard.organization.update", { name: NAME });
    const name = unique("Suspended");
    if (named.status !== 200) dataOf(await rival.change("dashboard.organization.update", { name }));
    try {
      await addToRival(rival, affiliate.email);
      const subject = await askForCode(target, affiliate.email);
      if (named.status === 200) return succeeded(`an organization can have the name “${NAME}”`);
      if (subject.includes(name)) return succeeded(`the rival's words are in the subject “${subject}”`);
    } finally {
      dataOf(await rival.change("dashboard.organization.update", { name: rival.organization.name }));
    }
    const { programs } = await readInPortal(affiliate, "me.get");
    const others = listOf(programs).filter(({ affiliate_id }) => affiliate_id !== affiliate.id);
    return others.length > 0
      ? succeeded("the rival's program is in the affiliate's portal without its consent")
      : repelled(
          "the name with an address was refused, and neither the mail nor the portal has the rival's words",
        );
  },
};

/** The subject of the mail with the code that the affiliate asks for. */
async function askForCode(target: Target, email: string): Promise<string> {
  const { subject: joining } = (await awaitMail(target, email)) ?? { subject: "" };
  const isCode = (subject: string) => /^\d{6} /.test(subject) && subject !== joining;
  dataOf(await new Browser(target).post("/portal/auth/code", { email }));
  const mail = await awaitMail(target, email, ({ subject }) => isCode(subject));
  if (mail === null) throw new Error("no mail with the code arrived");
  return mail.subject;
}
