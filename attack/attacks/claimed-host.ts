import { randomBytes } from "node:crypto";
import { type Attack, Missing, repelled, succeeded } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { ownerOf, rivalOf } from "../members.ts";

/** Names of the service and of its network, and one below which anybody can register. */
const NAMES = ["localhost", "app.localhost", "findersfee.internal", "metadata.google.internal", "github.io"];

/**
 * Stores host names that an organization cannot have, and one of another organization, which the rival has not proven: it would
 * show the rival's portal, and keep its owner from storing it.
 */
export const claimedHost: Attack = {
  id: "S8",
  name: "an organization claims host names of others",
  run: async (target) => {
    const rival = await rivalOf(target);
    const owner = await ownerOf(target);
    const claim = (host: string | null) => rival.change("dashboard.portal.update", { host });
    for (const name of NAMES) {
      const { status, body } = await claim(name);
      if (JSON.stringify(body).includes("PUBLIC_URL")) throw new Missing("a service with PUBLIC_URL");
      if (status === 200) return succeeded(`an organization can have the host name ${name}`);
    }
    const host = `partners.attack-${randomBytes(6).toString("hex")}.com`;
    dataOf(await claim(host));
    try {
      const look = await new Browser(target).get("/portal/look", { host });
      if (look.status === 200) return succeeded(`${host} shows the portal of whoever stored it first`);
      const own = await owner.change("dashboard.portal.update", { host });
      if (own.status !== 200) return succeeded("whoever stores a host name first keeps its owner from it");
      return repelled(
        `${NAMES.length} names were refused; one without a proof got ${look.status}, and its owner stored it`,
      );
    } finally {
      await claim(null);
      await owner.change("dashboard.portal.update", { host: null });
    }
  },
};
