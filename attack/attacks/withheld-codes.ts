import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import { Browser, dataOf, requireNetworks } from "../browser.ts";
import { awaitCode } from "../mails.ts";
import { joinProgram, openProgram } from "../portal.ts";
import { unique } from "../program.ts";

const REQUESTS = 8;

/** Asks for an affiliate's codes, and for a member's new password, until the person cannot ask any more. */
export const withheldCodes: Attack = {
  id: "S17",
  name: "a stranger keeps a person from getting codes and mails",
  run: async (target) => {
    requireNetworks();
    const { email } = await joinProgram(target, await openProgram(target));
    const known = new Set<string>([await awaitCode(target, email)]);
    const isNew = (code: string) => !known.has(code);
    const stranger = new Browser(target);
    const sent = await repeat(() => stranger.post("/portal/auth/code", { email }));
    for (let mail = 0; mail < sent; mail++) known.add(await awaitCode(target, email, isNew));
    const person = new Browser(target);
    const asked = await person.post("/portal/auth/code", { email });
    if (asked.status !== 200) return succeeded(`the affiliate's own request got ${asked.status}`);
    const code = await awaitCode(target, email, isNew);
    dataOf(await person.post("/portal/auth/sign-in", { code }));
    const reset = await askForPassword(target);
    return reset === 200
      ? repelled(
          `the affiliate got a code beside ${sent} of a stranger, and a request for a new password passed`,
        )
      : succeeded(`a member's own request for a new password got ${reset}`);
  },
};

/** Nobody has the address, which the service does not tell. */
async function askForPassword(target: Target): Promise<number> {
  const email = `${unique("member")}@example.com`;
  const stranger = new Browser(target);
  await repeat(() => stranger.post("/auth/password/forgot", { email }));
  return (await new Browser(target).post("/auth/password/forgot", { email })).status;
}

/** The number of requests that were accepted. */
async function repeat(ask: () => Promise<{ status: number }>): Promise<number> {
  let accepted = 0;
  for (let request = 0; request < REQUESTS; request++) {
    if ((await ask()).status === 200) accepted++;
  }
  return accepted;
}
