import { z } from "zod";
import { MAX_AMOUNT, wholeNumber } from "../fields.ts";

const MAX_RECRUITING_MONTHS = 120;

const describe = {
  percent: "The percentage of a recruit's commissions, over 0 and at most 100, with at most 4 decimals.",
  months: "The number of months after the recruit's creation in which payments count, 1 to 120.",
};

export const recruitingSchema = z
  .object({
    percent: z.number().meta({ description: describe.percent, example: 10 }),
    months: z.int().meta({ description: describe.months, example: 12 }),
  })
  .meta({ id: "Recruiting" });

export type Recruiting = z.infer<typeof recruitingSchema>;

/** The recruit of a line of an affiliate's commissions. */
export const recruitOfLine = z
  .object({ name: z.string().meta({ description: "Or initials; empty: it has no name." }) })
  .nullable()
  .meta({
    description:
      "The recruit with the commission that it is a percentage of; null: it is the affiliate's own.",
  });

export const recruitingInput = z
  .strictObject({
    percent: z.number().gt(0).max(MAX_AMOUNT).meta({ description: describe.percent, example: 10 }),
    months: wholeNumber(1, MAX_RECRUITING_MONTHS).meta({ description: describe.months, example: 12 }),
  })
  .meta({ id: "RecruitingInput" });
