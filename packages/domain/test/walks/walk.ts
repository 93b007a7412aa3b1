import { Session } from "node:inspector/promises";

/**
 * The code that the driver calls with each query like its own code, and the code that only notes that
 * something was done.
 */
const HOOKS = /\/postgres\/(?:observer|interest|tracer|written)\.ts$/;

const SOURCES = /\/packages\/(?:domain|database)\/src\/(.+\.ts)$/;

/**
 * Runs `work` and returns the files of the domain and the database in which a function was called, sorted. V8 counts the
 * calls. Code that runs when a module is loaded does not count: call `work` once before.
 */
export async function filesWalked(work: () => Promise<unknown>): Promise<string[]> {
  const session = new Session();
  session.connect();
  try {
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    // Taking the counts sets them back to zero.
    await session.post("Profiler.takePreciseCoverage");
    await work();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const called = result.filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    );
    return [
      ...new Set(called.flatMap(({ url }) => (HOOKS.test(url) ? [] : (SOURCES.exec(url)?.[0] ?? [])))),
    ].sort();
  } finally {
    await session.post("Profiler.stopPreciseCoverage");
    session.disconnect();
  }
}
