import { z } from "zod";
import { idInput, text } from "../fields.ts";
import { createAffiliateInput } from "./affiliates.ts";
import { writtenTags } from "./tags.ts";

/** The most lines of a file. */
export const MAX_IMPORT_LINES = 10_000;
/** The most lines of one request for judgment: their bodies stay below the limit of all requests. */
const MAX_JUDGED = 200;

/** A line of a file, as it was written. Empty cells are left out. */
const writtenLine = z.record(z.string(), text(10_000));

export type WrittenLine = z.output<typeof writtenLine>;

/** The valid input of a line. */
export const importLineInput = createAffiliateInput
  .omit({ campaign_id: true, approved: true, send_invitation: true })
  .extend({ tags: writtenTags.optional() });

/** The columns of an import. */
export const IMPORT_COLUMNS = Object.keys(importLineInput.shape);

export const checkImportInput = z.strictObject({
  campaign_id: idInput,
  lines: z.array(writtenLine).min(1).max(MAX_JUDGED),
});

export type CheckImport = z.output<typeof checkImportInput>;

const judgment = z.object({
  outcome: z.enum(["new", "exists", "wrong"]),
  affiliate_id: z.string().nullable().meta({ description: "The affiliate of the campaign with this email." }),
  issues: z.array(z.object({ path: z.string(), message: z.string() })),
});

export type ImportCheck = z.infer<typeof judgment>;

/** One for each line. */
export const checkedImportSchema = z.array(judgment);

const flag = z.enum(["true", "false"]).transform((value) => value === "true");

/** Query parameters of a file to import. */
export const importAffiliatesInput = z.strictObject({
  campaign_id: idInput,
  approved: flag,
  /** Whether those who are created approved get an invitation. */
  send_invitation: flag.optional(),
});

export type ImportAffiliates = z.output<typeof importAffiliatesInput>;
