import { distancesFrom, type Readers } from "./import-graph.ts";

/** A test file, and how closely it is related to what changed: less is closer. */
export interface Affected {
  file: string;
  /** Whether the test itself changed. */
  changed: boolean;
  distance: number;
}

/** The test files that a change can affect, the closest first. */
export function affectedTests(changed: readonly string[], readers: Readers): Affected[] {
  const words = new Set(changed.flatMap(wordsOf));
  return [...distancesFrom(changed, readers)]
    .filter(([file]) => file.endsWith(".test.ts"))
    .map(([file, imports]) => ({ file, changed: imports === 0, distance: imports - 4 * common(file, words) }))
    .sort((one, other) => one.distance - other.distance || one.file.localeCompare(other.file));
}

/**
 * Takes the closest tests that `processors` run within `seconds`. Test files that changed themselves are always among them.
 */
export function closest(
  affected: readonly Affected[],
  limits: { seconds: number; processors: number; secondsOf: (file: string) => number },
): string[] {
  let left = limits.seconds * limits.processors;
  return affected
    .toSorted((one, other) => Number(other.changed) - Number(one.changed))
    .filter(({ file, changed }) => {
      const needed = limits.secondsOf(file);
      // One processor runs all of a file.
      if (!changed && needed > Math.min(left, limits.seconds)) return false;
      left -= needed;
      return true;
    })
    .map(({ file }) => file);
}

/**
 * How many words a path has in common with the changed ones. Every test of the API imports all of it: among those, the ones
 * for the same resource are closer. A word counts as much as four imports.
 */
function common(file: string, words: ReadonlySet<string>): number {
  return new Set(wordsOf(file).filter((word) => words.has(word))).size;
}

/** The words of a path below its package, in the singular: `payout`, `run`. */
function wordsOf(file: string): string[] {
  const words = file
    .replace(/^(packages|apps)\/[^/]+\/(src|test)\//, "")
    .replace(/(\.test)?\.\w+$/, "")
    .split(/[/-]/);
  return words.map((word) => word.replace(/s$/, "")).filter((word) => word.length > 2);
}
