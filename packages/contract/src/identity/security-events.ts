import { z } from "zod";
import { id, idInput, timestamp } from "../fields.ts";
import { limitInput, pageOf } from "../pages.ts";

/* Events of the security of a person's account. */

const securityEventKinds = [
  "signed_in",
  "signed_in_on_new_device",
  "signed_in_from_new_network",
  "sign_in_failed",
  "code_failed",
  "device_confirmed",
  "password_changed",
  "password_reset",
  "second_factor_added",
  "second_factor_removed",
  "recovery_codes_replaced",
  "passkey_added",
  "passkey_removed",
  "sessions_ended",
  "single_sign_on_changed",
  "credentials_removed",
  "network_refused",
  "key_network_refused",
  "policies_changed",
] as const;

const securityEventSchema = z
  .object({
    id: id.meta({ description: "Identifies the event." }),
    kind: z.enum(securityEventKinds).meta({ description: "What happened.", example: "signed_in" }),
    actor: z.string().nullable().meta({
      description:
        "Who caused it: `user` with its id, `operator`, or `single sign-on`; null: the person who used the account, or tried to.",
      example: null,
    }),
    actor_name: z
      .string()
      .nullable()
      .meta({ description: "The name of the user who caused it.", example: null }),
    detail: z.string().nullable().meta({
      description: "How the person signed in, the name of the passkey, organization or key, or the change.",
      example: "password",
    }),
    ip_address: z.string().nullable().meta({
      description: "The address of the browser or program; null at the command line.",
      example: "192.0.2.1",
    }),
    user_agent: z.string().nullable().meta({
      description: "The browser's `User-Agent`; null at the command line.",
      example: "Mozilla/5.0",
    }),
    times: z.int().meta({
      description: "Failures of one network within an hour are one event, with their number.",
      example: 1,
    }),
    created_at: timestamp.meta({ description: "When it happened; of several failures, the first." }),
    last_at: timestamp.meta({ description: "The time of the last of several failures." }),
  })
  .meta({ id: "SecurityEvent" });

export type SecurityEvent = z.infer<typeof securityEventSchema>;

export const securityEventPageSchema = pageOf(securityEventSchema);

export const listSecurityEventsInput = z.strictObject({
  limit: limitInput,
  cursor: idInput.optional().meta({ description: "The `next_cursor` of the previous page." }),
});

export type ListSecurityEvents = z.infer<typeof listSecurityEventsInput>;

const user_id = id.meta({ description: "The owner of the account." });
const user_name = z.string().meta({ description: "The person's name.", example: "Jane Doe" });

/** The security event of a member of an organization. */
export const memberSecurityEventSchema = securityEventSchema
  .extend({ user_id, user_name })
  .meta({ id: "MemberSecurityEvent" });

export type MemberSecurityEvent = z.infer<typeof memberSecurityEventSchema>;

export const memberSecurityEventPageSchema = pageOf(memberSecurityEventSchema);

export const listMemberSecurityEventsInput = listSecurityEventsInput.extend({
  user_id: idInput.optional().meta({ description: "Only those of this member." }),
});

export type ListMemberSecurityEvents = z.infer<typeof listMemberSecurityEventsInput>;
