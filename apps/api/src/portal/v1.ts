import { createPortalTokenInput, portalTokenSchema } from "@findersfee/contract/portal/tokens";
import { createPortalToken } from "@findersfee/domain/portal/tokens/create";
import { keyProcedure, router } from "../trpc/trpc.ts";

const tags = ["Portal tokens"];

export const portal_tokens = router({
  create: keyProcedure(
    "To see the portal as an affiliate sees it, choose “View as affiliate” on the affiliate’s page in the dashboard.",
  )
    .meta({
      openapi: {
        method: "POST",
        path: "/portal_tokens",
        tags,
        summary: "Create a portal token",
        description:
          "Opens the portal of one affiliate in a frame of your own product, where the affiliate is signed in. The token is accepted once, within two minutes. The frame needs no agreement of the person: it shows your own program alone, also of an affiliate that you added and that has not accepted the invitation in the portal. It shows affiliates that are waiting, declined or banned the page of their state. With an `Idempotency-Key`, a repeated request returns the same token, which is still accepted once: use a new key for each page. More than 30 tokens for an affiliate within two minutes return `rate_limited`.",
      },
      errors: ["not_found", "idempotency_conflict"],
    })
    .input(createPortalTokenInput)
    .output(portalTokenSchema)
    .mutation(({ ctx, input }) =>
      createPortalToken(ctx.domain, input, {
        secrets_key: ctx.endpoint_policy.secrets_key,
        service_url: ctx.dashboard_url,
      }),
    ),
});
