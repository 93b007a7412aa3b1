import { z } from "zod";
import { type AffiliateSnapshot, affiliateSnapshotSchema } from "./terms.ts";

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

/** Settings that a fact was snapshot by, kept with it. */
const snapshotSchema = z.object({
  candidates: z.array(candidateSchema),
  affiliates: z.array(affiliateSnapshotSchema),
  /** When it was first looked up who its codes are of; null: it names none. */
  captured_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable()
    .default(null),
});

export type Snapshot = z.output<typeof snapshotSchema>;

export const EMPTY_SNAPSHOT: Snapshot = { candidates: [], affiliates: [], captured_at: null };

/** An affiliate as a fact was first snapshot by it, or else as it is now. */
export function affiliateFor(
  { affiliates }: Snapshot,
  id: string,
  affiliateOf: (id: string) => AffiliateSnapshot | undefined,
): AffiliateSnapshot | undefined {
  return affiliates.find(({ affiliate_id }) => affiliate_id === id) ?? affiliateOf(id);
}

export function readSnapshot(stored: unknown): Snapshot {
  return stored === null ? EMPTY_SNAPSHOT : snapshotSchema.parse(stored);
}

/** JSON without numbers that could lose digits. */
export function writeSnapshot(snapshot: Snapshot): string {
  return JSON.stringify(snapshot, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}
