import { type Attack, repelled, succeeded } from "../attack.ts";
import { send, sendSlowly, waitUntil } from "../request.ts";

/** Half of them to each path; together they exceed the slots of a process. */
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
    const rejectedCount = () => slow.filter(({ status }) => status() === 429).length;
    try {
      await waitUntil(target, () => rejectedCount() > 0);
      for (const path of PATHS) {
        const stranger = await send(target, path, { body: "{}", headers: { authorization: "Bearer none" } });
        // Without a valid key the request is rejected, but not because the process is busy.
        if (stranger.status === 503) return succeeded(`${path}: other clients got 503`);
      }
      const detail = `${rejectedCount()} of ${REQUESTS} requests of one key were rejected; other clients were served`;
      return rejectedCount() > 0 ? repelled(detail) : succeeded(detail);
    } finally {
      for (const { close } of slow) close();
    }
  },
};
