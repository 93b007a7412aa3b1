import { type Attack, repelled, succeeded, type Target } from "../attack.ts";
import { Browser, dataOf } from "../browser.ts";
import { addMember, type Member, ownerOf } from "../members.ts";
import { makePortalToken, openProgram } from "../portal.ts";
import { createAffiliates } from "../program.ts";
import { send, textOf, waitUntil } from "../request.ts";

/**
 * Keeps access that a removed admin made: an API key, the portal in a frame, an unused token for one, and a
 * webhook endpoint.
 */
export const removedMember: Attack = {
  id: "S11",
  name: "a removed member keeps access",
  run: async (target) => {
    const owner = await ownerOf(target);
    const admin = await addMember(target, owner, "admin");
    const made = await makeAccess(target, admin);
    const before = await openAccess(target, admin, made);
    if (before.length !== 4) throw new Error(`before the removal only these were open: ${before.join(", ")}`);
    dataOf(await owner.change("dashboard.members.remove", { user_id: admin.user_id }));
    let open = before;
    await waitUntil(target, async () => {
      open = await openAccess(target, admin, made);
      return open.length === 0;
    });
    const exchanged = await exchange(new Browser(target), made.slug, made.unused_token);
    if (exchanged.status === 200) open.push("an unused portal token");
    const endpoint = await owner.read("dashboard.endpoints.get", { id: made.endpoint_id });
    if (endpoint.disabled_reason === null) open.push("a webhook endpoint");
    return open.length > 0
      ? succeeded(`open after the removal: ${open.join(", ")}`)
      : repelled("session, key, frame, token and endpoint ended with the member");
  },
};

interface Made {
  api_key: string;
  frame_session: string;
  slug: string;
  unused_token: string;
  endpoint_id: string;
}

async function makeAccess(target: Target, admin: Member): Promise<Made> {
  const key = { name: "Kept", scopes: ["read", "write", "admin"] };
  const api_key = textOf(dataOf(await admin.change("dashboard.api_keys.create", key)).token);
  const own = { ...target, api_key };
  const { slug } = await openProgram(own);
  const [affiliate] = await createAffiliates(own, 1);
  if (affiliate === undefined) throw new Error("the affiliate was not created");
  const { token } = await makePortalToken(own, affiliate.id);
  const unused = await makePortalToken(own, affiliate.id);
  const { session } = dataOf(await exchange(new Browser(target), slug, token));
  const url = "https://example.com/webhooks";
  const endpoint = dataOf(await admin.change("dashboard.endpoints.create", { url }));
  return {
    api_key,
    frame_session: textOf(session),
    slug,
    unused_token: unused.token,
    endpoint_id: textOf(endpoint.id),
  };
}

async function exchange(browser: Browser, organization: string, token: string) {
  return await browser.post("/portal/auth/embed", { organization, token });
}

/** Names the ways in that are open. */
async function openAccess(target: Target, admin: Member, made: Made): Promise<string[]> {
  const { browser, headers } = admin;
  const authorization = `Bearer ${made.api_key}`;
  const frame = { "findersfee-portal-session": made.frame_session };
  const statuses = {
    "the session": (await browser.query("/trpc/dashboard.members.list", undefined, headers)).status,
    "the API key": (await send(target, "/v1/affiliates", { headers: { authorization } })).status,
    "the key in the dashboard": (
      await send(target, "/trpc/dashboard.members.list", { headers: { authorization } })
    ).status,
    "the frame": (await new Browser(target).query("/portal/trpc/me.get", undefined, frame)).status,
  };
  return Object.entries(statuses).flatMap(([name, status]) => (status === 200 ? [name] : []));
}
