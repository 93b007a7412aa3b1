import type { ClickRow } from "@findersfee/database/clicks";
import type { Connection } from "@findersfee/database/connect";
import { lowerCase } from "@findersfee/database/lower-case";
import { findPromoCodes, type KnownPromoCode } from "@findersfee/database/payment-candidates";
import { findClicks } from "../../clicks/find.ts";
import {
  type CandidatesOf,
  clickIdsOf,
  clickSource,
  eachOnce,
  namedBy,
  promoCodesOf,
} from "../facts/named-candidates.ts";
import type { UsedPromoCode } from "../facts/payment-fact.ts";
import type { Candidate } from "../facts/snapshot.ts";
import type { StoredFact } from "../facts/stored-fact.ts";

/**
 * Finds the candidates that these facts name, by promo codes and clicks. A candidate in a fact's snapshot stays;
 * unknown ones are looked up again.
 */
export async function findCandidates(
  sql: Connection,
  organizationId: string,
  facts: readonly StoredFact[],
): Promise<CandidatesOf> {
  const used = facts.flatMap(promoCodesOf);
  const clicked = new Set(facts.flatMap(clickIdsOf));
  const codes =
    used.length === 0
      ? []
      : await findPromoCodes(sql, organizationId, {
          external_ids: used.flatMap(({ external_id }) => external_id ?? []),
          codes: used.flatMap(({ code }) => (code === null ? [] : lowerCase(code))),
        });
  const clicks = await findClicks(sql, organizationId, [...clicked]);
  const byId = new Map(clicks.map((click) => [click.id, click]));
  const candidatesOf = (stored: StoredFact) =>
    eachOnce([
      ...promoCodesOf(stored).flatMap((code) => codeCandidate(code, { stored, codes })),
      ...clickIdsOf(stored).flatMap((id) => clickCandidate(id, { stored, byId })),
    ]);
  const unknownOf = (stored: StoredFact) => {
    const known = new Set(candidatesOf(stored).map(({ source, reference }) => `${source} ${reference}`));
    const named = eachOnce(namedBy(stored));
    return named.filter(({ source, reference }) => !known.has(`${source} ${reference}`));
  };
  return { candidatesOf, unknownOf };
}

function codeCandidate(
  { external_id, code }: UsedPromoCode,
  { stored, codes }: { stored: StoredFact; codes: readonly KnownPromoCode[] },
): Candidate[] {
  const reference = external_id ?? code;
  if (reference === null) return [];
  const before = capturedCandidate(stored, "promo_code", reference);
  if (before !== undefined) return [before];
  const known =
    (external_id === null ? undefined : codes.find((item) => item.external_id === external_id)) ??
    (code === null ? undefined : codes.find((item) => item.code === lowerCase(code)));
  if (known === undefined || isNewer(known, stored)) return [];
  return [{ source: "promo_code", reference, affiliate_id: known.affiliate_id, clicked_at: null }];
}

/** The affiliate of a code was decided at its first lookup, even if there was none. */
function isNewer({ created_at }: KnownPromoCode, { snapshot }: StoredFact): boolean {
  return snapshot.captured_at !== null && created_at > snapshot.captured_at;
}

function clickCandidate(
  id: string,
  { stored, byId }: { stored: StoredFact; byId: ReadonlyMap<string, ClickRow> },
): Candidate[] {
  const source = clickSource(stored);
  const before = capturedCandidate(stored, source, id);
  if (before !== undefined) return [before];
  const click = byId.get(id);
  if (click === undefined) return [];
  const { affiliate_id, clicked_at } = click;
  return [{ source, reference: id, affiliate_id, clicked_at }];
}

function capturedCandidate(
  { snapshot }: StoredFact,
  source: Candidate["source"],
  reference: string,
): Candidate | undefined {
  return snapshot.candidates.find((item) => item.source === source && item.reference === reference);
}
