import { distancesFrom, type Readers } from "./import-graph.ts";

/** A test file, and its distance from the change: less is closer. */
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
    .map(([file, imports]) => ({
      file,
      changed: imports === 0,
      distance: imports - 4 * commonWords(file, words),
    }))
    .sort((a, b) => a.distance - b.distance || a.file.localeCompare(b.file));
}

/**
 * Returns the closest tests that `processors` run within `seconds`, and all test files that changed themselves.
 */
export function closest(
  affected: readonly Affected[],
  limits: { seconds: number; processors: number; secondsOf: (file: string) => number },
): string[] {
  let left = limits.seconds * limits.processors;
  return affected
    .toSorted((a, b) => Number(b.changed) - Number(a.changed))
    .filter(({ file, changed }) => {
      const needed = limits.secondsOf(file);
      // One processor runs the whole file.
      if (!changed && needed > Math.min(left, limits.seconds)) return false;
      left -= needed;
      return true;
    })
    .map(({ file }) => file);
}

/**
 * The number of words that a path shares with the changed paths. Every test of the API imports all of the API; shared words find
 * those for the same resource. A word counts as much as four imports.
 */
function commonWords(file: string, words: ReadonlySet<string>): number {
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
