import { type Attack, repelled, succeeded } from "../attack.ts";
import { send, sendSlowly, waitUntil } from "../request.ts";

/** Each surface gets a half; together they are more than a process has slots. */
const REQUESTS = 1_100;

const PATHS = ["/v1/campaigns", "/v1/trpc/campaigns.create"];

/** Occupies the request slots of the process with one API key. */
export const occupiedSlots: Attack = {
  id: "S4",
  name: "one API key occupies all request slots",
  run: async (target) => {
    const headers = { authorization: `Bearer ${target.api_key}` };
    const halves = PATHS.map((path) => sendSlowly(target, REQUESTS / PATHS.length, { path, headers }));
    const slow = (await Promise.all(halves)).flat();
    const refused = () => slow.filter(({ status }) => status() === 429).length;
    try {
      await waitUntil(target, () => refused() > 0);
      for (const path of PATHS) {
        const stranger = await send(target, path, { body: "{}", headers: { authorization: "Bearer none" } });
        // Without a valid key it is refused, but not because the process is busy.
        if (stranger.status === 503) return succeeded(`${path}: others were answered 503`);
      }
      const detail = `${refused()} of ${REQUESTS} requests of one key were refused, and others were not`;
      return refused() > 0 ? repelled(detail) : succeeded(detail);
    } finally {
      for (const { close } of slow) close();
    }
  },
};
