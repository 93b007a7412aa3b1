import { z } from "zod";
import { currencyInput, idInput, must } from "./fields.ts";

/** `csv` is our own; the others are what that provider takes for many payments at once. */
export const payoutFileFormats = ["csv", "paypal", "wise"] as const;

export type PayoutFileFormat = (typeof payoutFileFormats)[number];

const formatInput = z.enum(payoutFileFormats).meta({ description: "Whose format the file has." });

/** What is asked for in a path and a query: all of it is text. */
export const exportPayoutsInput = z.strictObject({
  id: idInput.meta({ description: "The run's id." }),
  format: formatInput,
  currency: currencyInput
    .optional()
    .meta({ description: "Only payouts in it; needed where a file may have one only and the run has more." }),
  file: z
    .string()
    .regex(/^[1-9][0-9]{0,5}$/, must("Must be a whole number from 1."))
    .transform(Number)
    .optional()
    .meta({ description: "Which one, where the provider's limit makes several of a run." }),
});

export type ExportPayouts = z.infer<typeof exportPayoutsInput>;

export const importResultsInput = z.strictObject({
  id: idInput.meta({ description: "The run's id." }),
  format: formatInput,
});

export type ImportResults = z.infer<typeof importResultsInput>;

export const importedResultsSchema = z
  .object({
    paid: z.int().meta({ description: "Payouts that are paid now." }),
    failed: z.int().meta({ description: "Payouts that failed, with the provider's words as the reason." }),
    open: z
      .int()
      .meta({ description: "Lines of which the provider does not know yet; they changed nothing." }),
  })
  .meta({ id: "ImportedResults" });

export type ImportedResults = z.infer<typeof importedResultsSchema>;
