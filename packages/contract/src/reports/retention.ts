import { z } from "zod";
import { idInput, wholeNumber } from "../fields.ts";

/** Months of first payments, and later ones. */
const RETENTION_MONTHS = 12;

/** The newest commissions of an affiliate that are read. */
export const RETENTION_COMMISSIONS = 100_000;

export const getRetentionInput = z.strictObject({
  affiliate_id: idInput,
  months: wholeNumber(2, RETENTION_MONTHS).default(RETENTION_MONTHS),
});

export type GetRetention = z.output<typeof getRetentionInput>;

const cohortSchema = z
  .object({
    month: z.string().meta({
      description: "The month of the customers' first payments, in the organization's time zone.",
      example: "2026-11",
    }),
    paid: z.array(z.int()).meta({
      description:
        "How many of these customers paid in this month, the next one, and so on until the present one. The first is all of them.",
      example: [12, 9, 7],
    }),
  })
  .meta({ id: "RetentionCohort" });

export const retentionSchema = z
  .object({
    cohorts: z.array(cohortSchema).meta({ description: "The months with first payments, oldest first." }),
    is_cut: z.boolean().meta({
      description: `Whether the affiliate has more than ${RETENTION_COMMISSIONS} commissions: only the newest ones are counted.`,
    }),
  })
  .meta({ id: "Retention" });

export type Retention = z.infer<typeof retentionSchema>;
