import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, requireNetworks } from "../browser.ts";
import { addMember, invite, ownerOf } from "../members.ts";
import { unique } from "../program.ts";

/** Within an address's limit per minute. */
const OF_ONE = 58;
const NETWORKS = 11;
const OF_EACH = 10;
const TRIES = 3;

/**
 * Has the service hash passwords for emails that nobody has: from one address while a member signs in, and from many
 * networks while an invited person makes an account.
 */
export const blockedSignIns: Attack = {
  id: "S15",
  name: "strangers keep everybody from signing in",
  run: async (target) => {
    requireNetworks();
    const owner = await ownerOf(target);
    const { email, password } = await addMember(target, owner, "viewer");
    const { token } = await invite(owner, "viewer");
    const one = flood(new Browser(target), OF_ONE);
    const signed_in = await new Browser(target).post("/auth/sign-in", { email, password });
    const many = Array.from({ length: NETWORKS }, () => flood(new Browser(target), OF_EACH));
    const accepted = await accept(new Browser(target), token);
    await Promise.all([one, ...many]);
    if (signed_in.status !== 200) return succeeded(`a member's sign-in got ${signed_in.status}`);
    const detail = `an invited person got ${accepted.join(", then ")} beside ${OF_ONE + NETWORKS * OF_EACH} strangers`;
    return accepted.at(-1) === 200 ? repelled(detail) : succeeded(detail);
  },
};

/**
 * Accepts an invitation, and tries again as a person does: on a slow machine even a fair share of the passwords takes too long, and then
 * nothing must have changed. Returns the statuses.
 */
async function accept(person: Browser, token: string): Promise<number[]> {
  const account = { token, name: "Jane", password: unique("long-secret") };
  const statuses: number[] = [];
  while (statuses.length < TRIES && statuses.at(-1) !== 200) {
    statuses.push((await person.post("/auth/invitations/accept", account)).status);
  }
  return statuses;
}

async function flood(stranger: Browser, count: number): Promise<void> {
  const password = unique("wrong-secret");
  const guess = () => stranger.post("/auth/sign-in", { email: `${unique("nobody")}@example.com`, password });
  await Promise.all(Array.from({ length: count }, guess));
}
