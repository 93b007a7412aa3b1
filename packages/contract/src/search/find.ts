import { z } from "zod";
import { amount, currency, id, text } from "../fields.ts";
import { MIN_SEARCH_LENGTH } from "./limits.ts";

const MAX_SEARCH_LENGTH = 200;

/** Results of one kind. */
export const MAX_RESULTS = 6;

const searchKinds = ["affiliates", "customers", "payments", "commissions", "payouts", "endpoints"] as const;

export type SearchKind = (typeof searchKinds)[number];

export const findInput = z.strictObject({
  text: text(MAX_SEARCH_LENGTH)
    .overwrite((value) => value.trim())
    .min(MIN_SEARCH_LENGTH)
    .meta({
      description:
        "A part of a name, an email address, a domain or a code, or the beginning, the whole or the last eight characters of an id.",
      example: "jane",
    }),
});

const searchResultSchema = z
  .object({
    id,
    title: z.string().meta({ example: "Jane Doe" }),
    detail: z.string().nullable().meta({ example: "jane@example.com" }),
    amount: z
      .object({ amount, currency })
      .nullable()
      .meta({ description: "The amount of a payment, a commission or a payout; null for others." }),
    state: z.string().meta({
      description: "As in the list of the kind: a state, a status or an outcome.",
      example: "active",
    }),
    path: z.string().meta({
      description: "The address of its page, below that of the organization's dashboard.",
      example: "/affiliates/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
    }),
  })
  .meta({ id: "SearchResult" });

export type SearchResult = z.infer<typeof searchResultSchema>;

const searchGroupSchema = z
  .object({
    kind: z.enum(searchKinds),
    results: z
      .array(searchResultSchema)
      .meta({ description: `The best ones first, at most ${MAX_RESULTS}.` }),
  })
  .meta({ id: "SearchGroup" });

export type SearchGroup = z.infer<typeof searchGroupSchema>;

export const foundSchema = z
  .object({
    groups: z
      .array(searchGroupSchema)
      .meta({ description: "Kinds with results, the one with the best result first." }),
  })
  .meta({ id: "Found" });

export type Found = z.infer<typeof foundSchema>;
