import { z } from "zod";
import { name } from "../fields.ts";

const MAX_DESCRIPTION_LENGTH = 200;

const describe = {
  enabled: "Whether the discount applies by link.",
  description:
    "The visitors' discount, in the words of your pages; null: your pages say only that there is a discount.",
  show_affiliate:
    "Whether your pages may show visitors the name of the affiliate with the link that they followed.",
};

export const linkDiscountSchema = z
  .object({
    enabled: z.boolean().meta({ description: describe.enabled, example: false }),
    description: z
      .string()
      .nullable()
      .meta({ description: describe.description, example: "20% off your first year" }),
    show_affiliate: z.boolean().meta({ description: describe.show_affiliate, example: false }),
  })
  .meta({ id: "LinkDiscount" });

export type LinkDiscount = z.infer<typeof linkDiscountSchema>;

export const linkDiscountInput = z
  .strictObject({
    enabled: z.boolean().meta({ description: describe.enabled, example: true }),
    description: name(MAX_DESCRIPTION_LENGTH)
      .nullable()
      .default(null)
      .meta({ description: describe.description, example: "20% off your first year" }),
    show_affiliate: z.boolean().default(false).meta({ description: describe.show_affiliate, example: true }),
  })
  .meta({ id: "LinkDiscountInput" });
