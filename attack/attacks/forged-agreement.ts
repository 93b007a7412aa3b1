import { type Attack, repelled, skipped, succeeded } from "../attack.ts";
import { createAffiliates } from "../program.ts";
import { callApi, fieldsOf, listOf, send, textOf } from "../request.ts";

/**
 * Adds a stranger as an affiliate, and agrees in its name, in a frame that the organization's own key opened. With the agreement, codes
 * for signing in would name the organization, and its program would be in the stranger's portal.
 */
export const forgedAgreement: Attack = {
  id: "S7",
  name: "an organization agrees in the name of an affiliate that it added",
  run: async (target) => {
    const [stranger] = await createAffiliates(target, 1);
    if (stranger === undefined) throw new Error("the affiliate was not created");
    const made = await callApi(target, "/portal_tokens", { body: { affiliate_id: stranger.id } });
    const { token, url } = fieldsOf(made.data);
    const organization = new URL(textOf(url)).pathname.split("/").at(-1);
    const origin = target.url;
    const opened = await send(target, "/portal/auth/embed", {
      headers: { origin },
      body: { organization, token },
    });
    if (opened.status !== 200) return skipped(`the frame did not open: ${opened.status}`);
    const session = textOf(fieldsOf(fieldsOf(opened.body).data).session);
    const headers = { origin, "findersfee-portal-session": session };
    const me = await send(target, "/portal/trpc/me.get", { headers });
    const { programs } = fieldsOf(fieldsOf(fieldsOf(me.body).result).data);
    const others = listOf(programs).filter(({ affiliate_id }) => affiliate_id !== stranger.id);
    if (others.length > 0) return succeeded("a frame shows programs of other organizations");
    const answer = await send(target, "/portal/trpc/invitations.accept", {
      headers,
      body: { affiliate_id: stranger.id },
    });
    return answer.status === 200
      ? succeeded("a frame agreed in the name of the person")
      : repelled(`a frame cannot agree: ${answer.status}`);
  },
};
