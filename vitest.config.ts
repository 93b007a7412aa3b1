import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["packages/**/*.test.ts", "apps/**/*.test.ts", "examples/**/*.test.ts"],
    globalSetup: ["packages/database/test/global-setup.ts"],
    pool: "forks",
    // Many tests wait for timers and processes: with two, cores were idle a part of the time.
    maxWorkers: 3,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
