import { z } from "zod";
import { id, idInput, must, text, timestamp, timestampInput, wholeNumber } from "./fields.ts";
import { memberSecurityEventSchema } from "./identity/security-events.ts";
import { limitInput, pageOf } from "./pages.ts";

/** The kinds of resources that the audit log covers. */
export const auditResources = [
  "campaign",
  "affiliate",
  "promo_code",
  "referral",
  "commission",
  "adjustment",
  "payout",
  "payout_run",
  "payment_decision",
  "override",
  "api_key",
  "endpoint",
  "processor",
  "settings",
  "organization",
  "member",
  "invitation",
  "job",
  "mail",
  "claim",
  "single_sign_on",
] as const;

export type AuditResource = (typeof auditResources)[number];

export const auditActions = [
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
  "downloaded",
  "viewed",
  "bypassed",
] as const;

export type AuditAction = (typeof auditActions)[number];

const fields = z.record(z.string(), z.unknown());

/** An audit log entry: one change of one resource. */
export const auditEntrySchema = z
  .object({
    id: id.meta({ description: "Identifies the change." }),
    resource: z
      .enum(auditResources)
      .meta({ description: "The kind of resource that changed.", example: "campaign" }),
    resource_id: z.string().meta({
      description:
        "The resource's id. For a `promo_code`, the affiliate's id; for a `member`, the user's id; for a `processor`, its name; for `settings` and `single_sign_on`, the organization's id.",
      example: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    resource_name: z.string().nullable().meta({
      description: "The name that the resource has now; null for those without one, and for deleted ones.",
      example: "Partners",
    }),
    action: z.enum(auditActions).meta({ description: "The kind of change.", example: "updated" }),
    actor: z.string().meta({
      description:
        "The actor: `user`, `key` or `affiliate` with its id, `operator` at the command line, or `job` with its name.",
      example: "user 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
    actor_name: z.string().nullable().meta({
      description:
        "The name of the user, key or affiliate; null for other actors, and for users who were deleted.",
      example: "Jane Doe",
    }),
    before: fields.nullable().meta({
      description:
        "The changed fields before the change; all fields for a deletion, null for a creation. Erased values read `[erased]`.",
      example: { name: "Partners" },
    }),
    after: fields.nullable().meta({
      description: "The changed fields after the change; all fields for a creation, null for a deletion.",
      example: { name: "Friends" },
    }),
    currency: z
      .string()
      .nullable()
      .meta({ description: "The currency of the entry's amounts; null when it has none.", example: "USD" }),
    created_at: timestamp.meta({ description: "When the change was made." }),
  })
  .meta({ id: "AuditEntry" });

export type AuditEntry = z.infer<typeof auditEntrySchema>;

const MAX_NAME_LENGTH = 255;

export const listAuditEntriesInput = z.strictObject({
  limit: limitInput,
  cursor: idInput.optional().meta({ description: "The `next_cursor` of the previous page." }),
  resource: z.enum(auditResources).optional().meta({ description: "Only changes of this kind of resource." }),
  resource_id: text(MAX_NAME_LENGTH)
    .optional()
    .meta({ description: "Only changes of the resource with this id." }),
  actor: text(MAX_NAME_LENGTH)
    .optional()
    .meta({ description: "Only changes by this actor, as `actor` shows it." }),
  from: timestampInput.optional().meta({ description: "Only changes at or after this time." }),
  until: timestampInput.optional().meta({ description: "Only changes before this time." }),
});

export type ListAuditEntries = z.infer<typeof listAuditEntriesInput>;

/** The filters of the list, without its pages. */
export const exportAuditLogInput = listAuditEntriesInput.omit({ limit: true, cursor: true });

export type ExportAuditLog = z.output<typeof exportAuditLogInput>;

export const auditEntryPageSchema = pageOf(auditEntrySchema);

const MAX_LINES = 10_000;
const DEFAULT_LINES = 1_000;

const cursor = z.string().meta({
  description: "Pass it as `after` to continue after this line.",
  example: "81234.0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
});

/** A line of the audit log as a stream: a change, or a security event of a member. */
export const auditLogLineSchema = z
  .discriminatedUnion("type", [
    auditEntrySchema
      .extend({ type: z.literal("change").meta({ description: "A change." }), cursor })
      .meta({ id: "ChangeLine", description: "A change of a resource." }),
    memberSecurityEventSchema
      .extend({
        type: z.literal("security").meta({ description: "A security event." }),
        cursor,
        user_email: z.string().nullable().meta({
          description: "The person's email; null for people who are no members any more.",
          example: "jane@example.com",
        }),
      })
      .meta({ id: "SecurityLine", description: "A security event of a member." }),
  ])
  .meta({ id: "AuditLogLine" });

export type AuditLogLine = z.infer<typeof auditLogLineSchema>;

const lines = wholeNumber(1, MAX_LINES).meta({ description: "The maximum number of lines." });

/** The query of `GET /v1/audit-log`, with texts as values. */
export const readAuditLogInput = z.strictObject({
  after: z
    .string()
    .regex(
      /^$|^[0-9]{1,18}\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
      must("Must be the cursor of a line, or empty for the beginning."),
    )
    .default("")
    .meta({ description: "The cursor of the last line that you have; empty for the beginning." }),
  created_after: timestampInput
    .optional()
    .meta({ description: "Leaves out everything from before this time." }),
  limit: z
    .string()
    .regex(/^[0-9]{1,6}$/, must(`Must be a whole number from 1 to ${MAX_LINES}.`))
    .default(String(DEFAULT_LINES))
    .transform(Number)
    .pipe(lines),
});

/** The same query, with the types of its values. */
export const documentedAuditLogInput = readAuditLogInput.extend({ limit: lines.default(DEFAULT_LINES) });

export type ReadAuditLog = z.output<typeof readAuditLogInput>;
