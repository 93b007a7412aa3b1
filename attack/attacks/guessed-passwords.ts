import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import { Browser, errorOf, requireNetworks } from "../browser.ts";
import { addMember, type Member, ownerOf } from "../members.ts";
import { unique } from "../program.ts";

/** The most wrong passwords in a row, of NIST SP 800-63B. */
const ALLOWED = 100;
/** Few, so that they do not wait for each other too long. */
const AT_ONCE = 4;
/** Within the limit of an address per minute. */
const OF_EACH = 10;
const COMMON = ["password1234", "123456789012", "qwertyuiop12", "letmein12345"];

/** Guesses a member's password from many networks, and chooses passwords that are guessed first. */
export const guessedPasswords: Attack = {
  id: "S18",
  name: "strangers guess passwords without an end",
  run: async (target) => {
    requireNetworks();
    const member = await addMember(target, await ownerOf(target), "viewer");
    const { email, password, browser } = member;
    const compared = await guess(target, email);
    if (compared > ALLOWED) return succeeded(`the service compared ${compared} wrong passwords in a row`);
    const stranger = await new Browser(target).post("/auth/sign-in", { email, password });
    if (stranger.status === 200) {
      return succeeded(`after ${compared} guesses, the right password of a stranger was accepted`);
    }
    const known = await browser.post("/auth/sign-in", { email, password });
    if (known.status !== 200)
      return succeeded(`the guesses keep the member's own browser out: ${known.status}`);
    const chosen = await chooseCommon(member);
    return chosen === null
      ? repelled(
          `${compared} guesses were compared; the member's browser got in, and common passwords were refused`,
        )
      : succeeded(`a member can choose the password ${chosen}`);
  },
};

/** Guesses until the service compares no more. Returns the number of wrong passwords that it compared. */
async function guess(target: Target, email: string): Promise<number> {
  let compared = 0;
  let is_limited = false;
  const guessFrom = async (stranger: Browser) => {
    const answer = await stranger.post("/auth/sign-in", { email, password: unique("wrong-secret") });
    if (answer.status === 401) compared++;
    else is_limited ||= errorOf(answer) === "sign_in_limited";
  };
  const guesses = Array.from({ length: AT_ONCE }, async () => {
    while (!is_limited && compared <= ALLOWED) {
      const stranger = new Browser(target);
      for (let attempt = 0; attempt < OF_EACH; attempt++) await guessFrom(stranger);
    }
  });
  await Promise.all(guesses);
  return compared;
}

async function chooseCommon({ browser, password: current_password }: Member): Promise<string | null> {
  for (const password of COMMON) {
    const change = { current_password, password };
    const { status } = await browser.post("/account/trpc/credentials.change_password", change);
    if (status === 200) return password;
  }
  return null;
}
