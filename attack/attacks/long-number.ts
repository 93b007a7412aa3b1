import { performance } from "node:perf_hooks";
import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import { send } from "../request.ts";

const BODY_CHARACTERS = 256 * 1024;
const TRACKING_CHARACTERS = 8 * 1024;
/**
 * A linear scan of a number takes as long as that of a text; a quadratic one takes thousands of times as
 * long.
 */
const MAX_RATIO = 20;
const PATIENCE_MILLISECONDS = 500;

/** Sends numbers with very many digits, in API requests and without a secret key. */
export const longNumber: Attack = {
  id: "S1",
  name: "a number of 256 KiB freezes the process",
  run: async (target) => {
    const authorization = `Bearer ${target.api_key}`;
    const surfaces = [
      { path: "/v1/campaigns", headers: { authorization }, characters: BODY_CHARACTERS },
      { path: "/track/click", headers: {}, characters: TRACKING_CHARACTERS },
    ];
    const details: string[] = [];
    for (const { path, headers, characters } of surfaces) {
      const text = await timeOf(target, path, {
        headers,
        value: JSON.stringify("x".repeat(characters - 100)),
      });
      const number = await timeOf(target, path, { headers, value: `1.${"0".repeat(characters - 100)}1` });
      const detail = `${path}: number ${Math.round(number)} ms, text ${Math.round(text)} ms`;
      if (number > text * MAX_RATIO + PATIENCE_MILLISECONDS) return succeeded(detail);
      details.push(detail);
    }
    return repelled(details.join("; "));
  },
};

async function timeOf(
  target: Target,
  path: string,
  { headers, value }: { headers: Record<string, string>; value: string },
): Promise<number> {
  const start = performance.now();
  const { status } = await send(target, path, { headers, body: `{"name":${value}}` });
  if (status < 400 || status >= 500) throw new Error(`${path} returned ${status}`);
  return performance.now() - start;
}
