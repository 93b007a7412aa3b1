import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, requireNetworks } from "../browser.ts";
import { openProgram, sendApplication } from "../portal.ts";
import { unique } from "../program.ts";

const NETWORKS = 10;
const APPLICATIONS = 30;

/** Applies with invented addresses from ten networks, until nobody else could apply. */
export const closedProgram: Attack = {
  id: "S16",
  name: "invented applications close a program to others",
  run: async (target) => {
    requireNetworks();
    const program = await openProgram(target);
    const apply = async (browser: Browser) =>
      (await sendApplication(browser, program, `${unique("nobody")}@example.com`)).status;
    // The same networks in each run: runs within an hour share the networks' limit, and do not add up to the
    // organization's.
    const networks = Array.from(
      { length: NETWORKS },
      (_, index) => new Browser(target, `127.200.${index}.1`),
    );
    const statuses = await Promise.all(
      networks.map(async (browser) => {
        const own: number[] = [];
        for (let sent = 0; sent < APPLICATIONS; sent++) own.push(await apply(browser));
        return own;
      }),
    );
    const accepted = statuses.flat().filter((status) => status === 200).length;
    const applicant = await apply(new Browser(target));
    return applicant === 200
      ? repelled(`a person could apply after ${accepted} of ${NETWORKS * APPLICATIONS} invented applications`)
      : succeeded(`after ${accepted} invented applications, a person's got ${applicant}`);
  },
};
