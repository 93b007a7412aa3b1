import { type Attack, repelled, skipped, succeeded, type Target } from "../attack.ts";
import { Browser } from "../browser.ts";
import { send, sendSlowly } from "../request.ts";

const SLOW_BODIES = 300;

/** Occupies the intake of inbound webhooks with unsigned bodies that never complete. */
export const slowMessages: Attack = {
  id: "S3",
  name: "slow, unsigned bodies block the intake of inbound webhooks",
  run: async (target) => {
    const path = await findIntake(target);
    if (path === null) {
      return skipped(
        "the organization has no processor; run `findersfee processor connect generic --org <id>`",
      );
    }
    const slow = await sendSlowly(target, SLOW_BODIES, { path });
    try {
      // The processor has another address: the service rejects the oldest of many bodies of one address, which may be any of them.
      const { status } = await new Browser(target).post(path, {});
      const detail = `a complete message got ${status} alongside ${SLOW_BODIES} slow ones`;
      // It is unsigned, so a 400 shows that the service has read it.
      return status === 400 ? repelled(detail) : succeeded(detail);
    } finally {
      for (const { close } of slow) close();
    }
  },
};

async function findIntake(target: Target): Promise<string | null> {
  for (const processor of ["stripe", "generic"]) {
    const path = `/processors/${processor}/${target.organization_id}`;
    const { status } = await send(target, path, { body: "{}" });
    if (status === 400) return path;
  }
  return null;
}
