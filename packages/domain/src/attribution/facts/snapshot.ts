import { z } from "zod";
import { type JudgedAffiliate, judgedAffiliateSchema } from "./terms.ts";

/** Who may have brought a customer, and what it was known by. */
const candidateSchema = z.object({
  source: z.enum(["promo_code", "click", "signup"]),
  /** The code or its id at the processor, or the click's id. */
  reference: z.string(),
  affiliate_id: z.string(),
  /** Of a click. */
  clicked_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable(),
});

export type Candidate = z.output<typeof candidateSchema>;

/** Settings that an event was judged by, kept with it. */
const judgedSchema = z.object({
  candidates: z.array(candidateSchema),
  affiliates: z.array(judgedAffiliateSchema),
  /** When it was first looked up who its codes are of; null: it names none. */
  looked_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable()
    .default(null),
});

export type Judged = z.output<typeof judgedSchema>;

export const NOTHING_JUDGED: Judged = { candidates: [], affiliates: [], looked_at: null };

/** An affiliate as an event was first judged by it, or else as it is now. */
export function affiliateFor(
  { affiliates }: Judged,
  id: string,
  affiliateOf: (id: string) => JudgedAffiliate | undefined,
): JudgedAffiliate | undefined {
  return affiliates.find(({ affiliate_id }) => affiliate_id === id) ?? affiliateOf(id);
}

export function readJudged(stored: unknown): Judged {
  return stored === null ? NOTHING_JUDGED : judgedSchema.parse(stored);
}

/** JSON without numbers that could lose digits. */
export function writeJudged(judged: Judged): string {
  return JSON.stringify(judged, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}
