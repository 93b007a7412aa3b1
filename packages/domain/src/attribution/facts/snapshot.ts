import { z } from "zod";
import { type AffiliateSnapshot, affiliateSnapshotSchema } from "./terms.ts";

/** The evidence that names the affiliate of a customer. */
const candidateSchema = z.object({
  source: z.enum(["promo_code", "click", "signup"]),
  /** The code, its id at the processor, or the click's id. */
  reference: z.string(),
  affiliate_id: z.string(),
  /** For a click. */
  clicked_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable(),
});

export type Candidate = z.output<typeof candidateSchema>;

/** The settings at the time of a fact's first processing, stored with the fact. */
const snapshotSchema = z.object({
  candidates: z.array(candidateSchema),
  affiliates: z.array(affiliateSnapshotSchema),
  /** When the affiliates of its codes were first looked up; null: it names none. */
  captured_at: z
    .string()
    .transform((text) => new Date(text))
    .nullable()
    .default(null),
});

export type Snapshot = z.output<typeof snapshotSchema>;

export const EMPTY_SNAPSHOT: Snapshot = { candidates: [], affiliates: [], captured_at: null };

/** An affiliate from the snapshot of a fact, or else with its current settings. */
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

/** JSON in which amounts are text, so that no digits are lost. */
export function writeSnapshot(snapshot: Snapshot): string {
  return JSON.stringify(snapshot, (_key, value) => (typeof value === "bigint" ? value.toString() : value));
}
