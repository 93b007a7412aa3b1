import type { TimedTouch } from "../facts/chronological.ts";
import { type CandidatesOf, eachOnce, type NamedCandidate } from "../facts/named-candidates.ts";
import type { Relations } from "../facts/relate.ts";
import type { Candidate } from "../facts/snapshot.ts";
import type { StoredFact } from "../facts/stored-fact.ts";
import { type CandidateResult, unknown } from "./candidate-results.ts";

/** The candidates that one customer's touches name. */
export class Evidence {
  readonly #named: CandidatesOf;
  readonly #relations: Relations;

  constructor(named: CandidatesOf, relations: Relations) {
    this.#named = named;
    this.#relations = relations;
  }

  /** Candidates with an affiliate. */
  candidatesOf(timed: TimedTouch): readonly Candidate[] {
    return this.#collect(timed, this.#named.candidatesOf);
  }

  /** Codes and clicks without an affiliate. */
  unknownOf(timed: TimedTouch): CandidateResult[] {
    return unknown(this.#collect(timed, this.#named.unknownOf));
  }

  #collect<One extends NamedCandidate>(
    { touch, referral_source }: TimedTouch,
    namedBy: (stored: StoredFact) => readonly One[],
  ): readonly One[] {
    // A backend may put the click id into the payment intent's metadata.
    const charges = touch.fact.kind === "payment" ? this.#relations.chargesOf(touch) : [];
    const all = eachOnce([touch, ...charges].flatMap(namedBy));
    return referral_source === null ? all : all.filter(({ reference }) => reference === referral_source);
  }
}
