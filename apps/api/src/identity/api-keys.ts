import {
  apiKeyIdInput,
  apiKeyPageSchema,
  createApiKeyInput,
  createdApiKeySchema,
  listApiKeysInput,
  rotateApiKeyInput,
  rotatedApiKeySchema,
} from "@findersfee/contract/identity/api-keys";
import { createOwnApiKey, listOwnApiKeys, rotateOwnApiKey } from "@findersfee/domain/identity/api-keys/own";
import { revokeOwnApiKey } from "@findersfee/domain/identity/api-keys/revoke";
import { adminProcedure, router, viewProcedure } from "../trpc/trpc.ts";

/** The organization's API keys. */
export const api_keys = router({
  list: viewProcedure
    .input(listApiKeysInput)
    .output(apiKeyPageSchema)
    .query(({ ctx, input }) => listOwnApiKeys(ctx.domain, input)),

  create: adminProcedure
    .input(createApiKeyInput)
    .output(createdApiKeySchema)
    .mutation(({ ctx, input }) => createOwnApiKey(ctx.domain, input)),

  rotate: adminProcedure
    .input(rotateApiKeyInput)
    .output(rotatedApiKeySchema)
    .mutation(({ ctx, input }) => rotateOwnApiKey(ctx.domain, input)),

  revoke: adminProcedure
    .input(apiKeyIdInput)
    .mutation(({ ctx, input }) => revokeOwnApiKey(ctx.domain, input.id)),
});
