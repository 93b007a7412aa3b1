import { z } from "zod";
import { id, idInput, must, name, timestamp, timestampInput, wholeNumber } from "../fields.ts";
import { limitInput, pageOf } from "../pages.ts";

const apiKeyScopes = ["read", "write", "view", "admin", "audit", "track"] as const;

const apiKeySchema = z
  .object({
    id,
    kind: z.enum(["secret", "publishable"]),
    name: z.string(),
    scopes: z.array(z.enum(apiKeyScopes)),
    last_four: z.string().meta({ description: "The key's last four characters.", example: "x7Qa" }),
    publishable_key: z.string().nullable().meta({
      description: "The key itself; null for a secret key, which is never shown again.",
      example: null,
    }),
    created_at: timestamp,
    created_by: z.string().meta({
      description: "`user` or `key` with its id, or `operator` at the command line.",
      example: "operator",
    }),
    created_by_name: z.string().nullable().meta({
      description: "The name of the user or key; null for the operator, and for users who were deleted.",
    }),
    last_used_at: timestamp.nullable().meta({ description: "To the minute; null: never used." }),
    expires_at: timestamp.nullable().meta({ description: "Null: the key does not expire." }),
    revoked_at: timestamp.nullable(),
  })
  .meta({ id: "ApiKey" });

export type ApiKeyView = z.infer<typeof apiKeySchema>;

export const apiKeyPageSchema = pageOf(apiKeySchema);

export const listApiKeysInput = z.strictObject({
  revoked: z.boolean().default(false).meta({ description: "True: the revoked keys instead of the others." }),
  limit: limitInput,
  cursor: z.uuid(must("Must be a next_cursor from a list response.")).optional(),
});

export type ListApiKeys = z.output<typeof listApiKeysInput>;

const MAX_NAME_LENGTH = 200;
const DAY_SECONDS = 24 * 60 * 60;
const MAX_OVERLAP_DAYS = 30;

const expiresAt = timestampInput.nullable();

export const createApiKeyInput = z.strictObject({
  name: name(MAX_NAME_LENGTH),
  scopes: z.array(z.enum(apiKeyScopes)).min(1).max(apiKeyScopes.length).meta({
    description: "`track` alone makes a publishable key, the others a secret one.",
  }),
  expires_at: expiresAt.default(null),
});

export type CreateApiKey = z.output<typeof createApiKeyInput>;

export const apiKeyIdInput = z.strictObject({ id: idInput });

export const rotateApiKeyInput = z.strictObject({
  id: idInput,
  overlap_seconds: wholeNumber(0, MAX_OVERLAP_DAYS * DAY_SECONDS)
    .default(DAY_SECONDS)
    .meta({
      description: "Seconds that the old key stays valid beside the new one; 0 for a leaked key.",
      example: DAY_SECONDS,
    }),
  expires_at: expiresAt.optional().meta({
    description: "When the new key expires. Default: after as long as the old one was to be valid.",
  }),
});

export type RotateApiKey = z.output<typeof rotateApiKeyInput>;

export const createdApiKeySchema = z.object({
  id,
  kind: z.enum(["secret", "publishable"]),
  scopes: z.array(z.enum(apiKeyScopes)),
  expires_at: timestamp.nullable(),
  token: z.string().meta({ description: "The key itself. A secret key is shown only here." }),
});

export type CreatedApiKeyView = z.infer<typeof createdApiKeySchema>;

export const rotatedApiKeySchema = createdApiKeySchema.extend({
  old_expires_at: timestamp.meta({ description: "When the old key ends." }),
});

export type RotatedApiKey = z.infer<typeof rotatedApiKeySchema>;
