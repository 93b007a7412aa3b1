import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import {
  type Affiliate,
  clickLink,
  createAffiliates,
  findReferrals,
  reportSignUp,
  unique,
} from "../program.ts";
import { callApi, fieldsOf } from "../request.ts";

const SIGN_UPS = 30;
const MAX_SIGN_UPS = 3;
const CLICKS = 30;
/** The maximum number of clicks that the service stores per visitor, link and hour. */
const STORED_PER_HOUR = 10;
/** The hour may change during the attack. */
const HOURS = 2;

/** Fills the database through public calls: sign-ups of one click, and repeated clicks of one visitor. */
export const unboundedWrites: Attack = {
  id: "S6",
  name: "public calls write without limit",
  run: async (target) => {
    const [affiliate] = await createAffiliates(target, 1);
    if (affiliate === undefined) throw new Error("creating the affiliate failed");
    const referrals = await countSignUps(target, affiliate);
    if (referrals > MAX_SIGN_UPS) {
      return succeeded(`one click created ${referrals} referrals from ${SIGN_UPS} sign-ups`);
    }
    const stored = new Set<string | null>();
    for (let click = 0; click < CLICKS; click++) stored.add(await clickLink(target, affiliate));
    if (stored.size > HOURS * STORED_PER_HOUR) {
      return succeeded(`${CLICKS} clicks of one visitor were stored as ${stored.size}`);
    }
    const { clicks } = fieldsOf((await callApi(target, `/affiliates/${affiliate.id}`)).data);
    if (Number(clicks) > HOURS) {
      return succeeded(`${CLICKS + 1} clicks of one visitor counted as ${clicks}`);
    }
    return repelled(
      `${SIGN_UPS} sign-ups created ${referrals} referrals; ${CLICKS} clicks were stored as ${stored.size}, all counted as ${clicks}`,
    );
  },
};

/** The number of referrals created by the sign-ups of one click. */
async function countSignUps(target: Target, affiliate: Affiliate): Promise<number> {
  const click_id = await clickLink(target, affiliate);
  if (click_id === null) throw new Error("the first click did not count");
  for (let signUp = 0; signUp < SIGN_UPS; signUp++) {
    await reportSignUp(target, { click_id, email: `${unique("person")}@example.com` });
  }
  return (await findReferrals(target, { affiliate_id: affiliate.id })).length;
}
