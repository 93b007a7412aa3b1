import { type Attack, Missing, repelled, succeeded, type Target } from "../attack.ts";
import { type Member, ownerOf } from "../members.ts";
import { openProgram } from "../portal.ts";
import { send } from "../request.ts";

/** The most that a file may have. */
const CHARACTERS = 15.9 * 1024 * 1024;
const FILES = { commas: ",", "line breaks": "\n" };
/** A file of this size that is refused at once takes a tenth of it. */
const MAX_CPU_SECONDS = 1;

/**
 * Imports files of only commas and of only line breaks, which are many cells and many lines, and measures the
 * CPU time that they take.
 */
export const longLines: Attack = {
  id: "S22",
  name: "an import of commas or line breaks occupies the process",
  run: async (target) => {
    const owner = await ownerOf(target);
    const { campaign_id } = await openProgram(target);
    const path = `/dashboard/affiliates/import?campaign_id=${campaign_id}&approved=true`;
    const details: string[] = [];
    for (const [name, character] of Object.entries(FILES)) {
      const before = await cpuSeconds(target);
      await upload(owner, path, character.repeat(CHARACTERS));
      const seconds = (await cpuSeconds(target)) - before;
      const detail = `${name} took ${seconds.toFixed(1)} s of CPU time`;
      if (seconds > MAX_CPU_SECONDS) return succeeded(detail);
      details.push(detail);
    }
    return repelled(details.join("; "));
  },
};

async function upload({ browser, headers }: Member, path: string, body: string): Promise<void> {
  const { status } = await browser.send({
    method: "POST",
    path,
    headers: { ...headers, "content-type": "text/csv" },
    body,
  });
  if (status !== 400) throw new Error(`the file got ${status}`);
}

/** Unlike the time that passes, it does not depend on other programs on this machine. */
async function cpuSeconds(target: Target): Promise<number> {
  const { body } = await send(target, "/metrics");
  const [, seconds] = /^process_cpu_seconds_total(?:\{\S*\})? (\S+)/m.exec(String(body)) ?? [];
  if (seconds === undefined) throw new Missing("/metrics of the process");
  return Number(seconds);
}
