import { distancesFrom, type Readers } from "./import-graph.ts";

/** A test file, and how closely it is related to what changed: less is closer. */
export interface Affected {
  file: string;
  distance: number;
}

/** The test files that a change can affect, the closest first. */
export function affectedTests(changed: readonly string[], readers: Readers): Affected[] {
  const words = new Set(changed.flatMap(wordsOf));
  return [...distancesFrom(changed, readers)]
    .filter(([file]) => file.endsWith(".test.ts"))
    .map(([file, distance]) => ({ file, distance: distance === 0 ? 0 : closeness(file, distance, words) }))
    .sort((one, other) => one.distance - other.distance || one.file.localeCompare(other.file));
}

/**
 * Takes the closest tests that together fit into `seconds`. Test files that changed themselves are always among them.
 */
export function closest(
  affected: readonly Affected[],
  { seconds, secondsOf }: { seconds: number; secondsOf: (file: string) => number },
): string[] {
  let left = seconds;
  return affected
    .filter(({ file, distance }) => {
      const needed = secondsOf(file);
      if (distance > 0 && needed > left) return false;
      left -= needed;
      return true;
    })
    .map(({ file }) => file);
}

/**
 * Every test of the API imports all of it: among those, the ones for the same resource are closer. A word that the paths
 * have in common counts as much as four imports.
 */
function closeness(file: string, distance: number, words: ReadonlySet<string>): number {
  const common = new Set(wordsOf(file).filter((word) => words.has(word)));
  return Math.max(1, distance - 4 * common.size);
}

/** The words of a path below its package, in the singular: `payout`, `run`. */
function wordsOf(file: string): string[] {
  const words = file
    .replace(/^(packages|apps)\/[^/]+\/(src|test)\//, "")
    .replace(/(\.test)?\.\w+$/, "")
    .split(/[/-]/);
  return words.map((word) => word.replace(/s$/, "")).filter((word) => word.length > 2);
}
