/*
 * Tests exist in two forms: `pnpm test` runs the short one, `pnpm test:all` the full one.
 * docs/contributing/testing.md lists the tests that only the full form runs.
 */

/** Whether tests run in their full form. Cases outside the short form are `it.runIf(FULL_TESTS)(…)`. */
export const FULL_TESTS = process.env.FULL_TESTS === "1";

/**
 * Returns how much a test does: the number of histories, requests, or kills.
 *
 * @param variable environment variable that overrides both numbers, for long runs
 */
export function extent(variable: string, { short, full }: { short: number; full: number }): number {
  return Number(process.env[variable] ?? (FULL_TESTS ? full : short));
}

/**
 * Returns the seed of random histories: the same one in each run of the short form, so that none fails by chance, and another one in
 * each run of the full form.
 *
 * @param variable environment variable that repeats a run
 */
export function seedOf(variable: string): number {
  return Number(process.env[variable] ?? (FULL_TESTS ? Math.floor(Math.random() * 1e9) : 1));
}

/**
 * Returns the cases of a test: all of them in the full form, and the first ones in the short form.
 *
 * @param short how many the short form has
 */
export function casesOf<Case>(all: readonly Case[], { short }: { short: number }): readonly Case[] {
  return FULL_TESTS ? all : all.slice(0, short);
}
