import type { AccountRouter } from "@findersfee/api/account/router";
import type { ErrorObject } from "@findersfee/contract/errors";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { APPLICATION_PATH } from "./application-path.ts";
import { RequestFailed } from "./failure.ts";

/*
 * The operations of the person who is signed in. They are called without tRPC's client, which would be a twentieth of the
 * sign-in page.
 */

export type Me = inferRouterOutputs<AccountRouter>["me"]["get"];

type Preferences = inferRouterInputs<AccountRouter>["me"]["update_preferences"];

export async function fetchMe(signal: AbortSignal): Promise<Me> {
  return await call<Me>("me.get", { signal });
}

export async function updatePreferences(changes: Preferences): Promise<void> {
  await call("me.update_preferences", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(changes),
  });
}

async function call<Output>(name: string, options: RequestInit): Promise<Output> {
  const response = await fetch(`${APPLICATION_PATH}/account/trpc/${name}`, options).catch(() => null);
  if (response === null) throw new RequestFailed(null, null);
  const answer: { result?: { data: Output }; error?: { data: ErrorObject } } = await response
    .json()
    .catch(() => ({}));
  if (answer.result !== undefined) return answer.result.data;
  throw new RequestFailed(response, answer.error?.data ?? null);
}
