import { type Attack, repelled, succeeded } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { type Member, ownerOf, rivalOf } from "../members.ts";
import { unique } from "../program.ts";

/** Names that people take for the service. */
const RESERVED = ["admin", "api", "www", "portal"];

/** Takes the name in addresses that another organization gave up: its old links to the portal would show the rival's. */
export const releasedName: Attack = {
  id: "S20",
  name: "an organization takes the former name of another one",
  run: async (target) => {
    const rival = await rivalOf(target);
    const owner = await ownerOf(target);
    const { slug: former } = owner.organization;
    const { slug: own } = rival.organization;
    const slug = unique("attacked");
    dataOf(await rename(owner, slug));
    try {
      for (const name of [former, ...RESERVED]) {
        const { status } = await rename(rival, name);
        if (status === 200) return succeeded(`another organization can have the name ${name}`);
      }
      const look = await new Browser(target).get(`/portal/look?organization=${former}`);
      const { slug: shown } = dataOf(look);
      return shown === slug
        ? repelled("the former name was refused and leads to the new one; so were reserved names")
        : succeeded(`the former name leads to ${shown}`);
    } finally {
      dataOf(await rename(rival, own));
      dataOf(await rename(owner, former));
    }
  },
};

async function rename(member: Member, slug: unknown) {
  return await member.change("dashboard.organization.update", { slug });
}
