import { z } from "zod";
import { id, idInput, text, timestamp, timestampInput } from "./fields.ts";
import { limitInput, pageOf } from "./pages.ts";

/** What the history is about. */
export const changeResources = [
  "campaign",
  "affiliate",
  "promo_code",
  "commission",
  "payout",
  "payout_run",
  "payment_decision",
  "api_key",
  "endpoint",
  "processor",
  "settings",
  "organization",
] as const;

export type ChangeResource = (typeof changeResources)[number];

export const changeActions = [
  "created",
  "updated",
  "deleted",
  "enabled",
  "disabled",
  "rotated",
  "secret_expired",
  "revoked",
  "linked",
  "rerun",
  "erased",
] as const;

export type ChangeAction = (typeof changeActions)[number];

const fields = z.record(z.string(), z.unknown());

/** What somebody changed. */
export const changeSchema = z
  .object({
    id: id.meta({ description: "Identifies the change." }),
    resource: z.enum(changeResources).meta({ description: "What was changed.", example: "campaign" }),
    resource_id: z.string().meta({
      description:
        "Which one: its id; of a `promo_code` its affiliate's, of a `processor` its name, of `settings` the organization's.",
      example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    action: z.enum(changeActions).meta({ description: "What was done.", example: "updated" }),
    actor: z.string().meta({
      description: "Who did it: `key` and its id, `operator` at the command line, or the job.",
      example: "key 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    before: fields.nullable().meta({
      description:
        "The fields that differ, as they were; of what was deleted all. Null: it was created. Erased values are `[erased]`.",
      example: { name: "Partners" },
    }),
    after: fields.nullable().meta({
      description: "The fields that differ, as they are now; of what was created all. Null: it was deleted.",
      example: { name: "Friends" },
    }),
    currency: z
      .string()
      .nullable()
      .meta({ description: "What the amounts in it are in; null: it has none.", example: "USD" }),
    created_at: timestamp.meta({ description: "When it was changed." }),
  })
  .meta({ id: "Change" });

export type Change = z.infer<typeof changeSchema>;

const LONGEST_NAME = 255;

export const listChangesInput = z.strictObject({
  limit: limitInput,
  cursor: idInput.optional().meta({ description: "The `next_cursor` of the page before." }),
  resource: z.enum(changeResources).optional().meta({ description: "Only changes of such things." }),
  resource_id: text(LONGEST_NAME).optional().meta({ description: "Only changes of this one." }),
  actor: text(LONGEST_NAME).optional().meta({ description: "Only what this one did, as `actor` shows it." }),
  from: timestampInput.optional().meta({ description: "Only changes at this moment or later." }),
  until: timestampInput.optional().meta({ description: "Only changes before this moment." }),
});

export type ListChanges = z.infer<typeof listChangesInput>;

export const changePageSchema = pageOf(changeSchema);
