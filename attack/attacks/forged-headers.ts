import { randomBytes } from "node:crypto";
import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import { send } from "../request.ts";

const ATTEMPTS = 150;
const FORGED_HOST = "forged.example";

/** Evades limits with a new X-Forwarded-For in each request, and names the server in X-Forwarded-Host. */
export const forgedHeaders: Attack = {
  id: "S5",
  name: "forged X-Forwarded headers evade limits and name the server",
  run: async (target) => {
    const document = await send(target, "/v1/openapi.json", {
      headers: { "x-forwarded-host": FORGED_HOST, "x-forwarded-proto": "https" },
    });
    if (JSON.stringify(document.body).includes(FORGED_HOST)) {
      return succeeded("the OpenAPI document names the forged host");
    }
    // Invalid keys are limited per address, so a forged address would never reach the limit.
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      if ((await guessFrom(target, attempt)) === 429) {
        return repelled(`invalid keys from forged addresses were rejected after ${attempt} attempts`);
      }
    }
    return succeeded(`${ATTEMPTS} invalid keys from forged addresses were looked up`);
  },
};

async function guessFrom(target: Target, attempt: number): Promise<number> {
  const authorization = `Bearer ff_sk_${randomBytes(32).toString("hex").slice(0, 43)}`;
  const forged = `198.51.${attempt >> 8}.${attempt & 255}`;
  const { status } = await send(target, "/v1/campaigns", {
    headers: { authorization, "x-forwarded-for": forged },
  });
  return status;
}
