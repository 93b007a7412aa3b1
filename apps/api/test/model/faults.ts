import type { History } from "./history.ts";

/** A kind of history in which the service contradicts the documents. */
export interface Fault {
  /** The smallest history that shows it. While the service has the fault, it must disagree with the model on it. */
  example: History;
  /** Changes a history so that it does not show the fault. */
  without: (history: History) => History;
}

/**
 * Faults of the service that are known and not mended yet, by name. The generator leaves them out. To mend one, move its
 * example to those in examples.ts.
 */
export const FAULTS: Readonly<Record<string, Fault>> = {};

/** `MODEL_FAULTS=all`, or some of them, lets the generator make these histories. */
export function includedFaults(names: string | undefined): ReadonlySet<Fault> {
  if (names === undefined) return new Set();
  if (names === "all") return new Set(Object.values(FAULTS));
  return new Set(
    names.split(",").map((name) => {
      const fault = FAULTS[name];
      if (fault === undefined) throw new Error(`${name} is not a known fault`);
      return fault;
    }),
  );
}
