/*
 * Faults of the service that are known and not mended yet: kinds of history in which it contradicts the documents. The
 * generator leaves them out. To mend one, delete its line here and its rule in histories.ts.
 */

export const FAULTS = [
  // Of a customer with an older checkout, but no payment, a sign-up says that the customer paid before.
  "reason_of_withdrawn_sign_ups",
] as const;

export type Fault = (typeof FAULTS)[number];

/** `MODEL_FAULTS=all`, or some of them, lets the generator make these histories. */
export function includedFaults(names: string | undefined): ReadonlySet<Fault> {
  if (names === undefined) return new Set();
  if (names === "all") return new Set(FAULTS);
  return new Set(
    names.split(",").map((name) => {
      const fault = FAULTS.find((known) => known === name);
      if (fault === undefined) throw new Error(`${name} is not a known fault`);
      return fault;
    }),
  );
}
