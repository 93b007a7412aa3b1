import { availableParallelism, tmpdir } from "node:os";
import { defineConfig } from "vitest/config";
import { UNOPTIMIZED } from "./packages/database/test/node-options.ts";
import { LongestFirst } from "./scripts/tests/longest-first.ts";
import { Represented } from "./scripts/tests/represented.ts";
import { createRunFolder } from "./scripts/tests/run-folder.ts";
import { temporaryFolder } from "./scripts/tests/temporary-folder.ts";

// Applies to Vitest, to the processes of tests, and to the programs that they start.
process.env.TMPDIR ??= createRunFolder(temporaryFolder(tmpdir()));

const shared = {
  pool: "forks",
  execArgv: UNOPTIMIZED,
  provide: { files_share_process: false },
  setupFiles: [
    "scripts/tests/end-of-hour.ts",
    "packages/database/test/repeated-properties.ts",
    "packages/domain/test/cheap-passwords.ts",
  ] as string[],
  testTimeout: 300_000,
  hookTimeout: 300_000,
  // Only a test that fails waits this long, however slow and busy the machine is.
  expect: { poll: { timeout: 60_000, interval: 20 } },
} as const;

/**
 * Tests that measure their process (its memory, or the calls in it), which others must not share, that read large files, or
 * that do the same thousands of times.
 */
const OPTIMIZED = [
  "apps/api/test/model/*.test.ts",
  "apps/api/test/payouts/file-size.test.ts",
  "apps/api/test/payouts/*results.test.ts",
  "apps/worker/test/webhooks/send-faults.test.ts",
  "packages/domain/test/walks/walks.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: ["packages/database/test/global-setup.ts"],
    // Tests wait for Postgres, processes and timers a third of their time.
    maxWorkers: availableParallelism() + 2,
    experimental: { fsModuleCache: true, fsModuleCachePath: "node_modules/.cache/vitest" },
    sequence: { sequencer: LongestFirst },
    reporters: ["default", new Represented()],
    projects: [
      {
        test: {
          ...shared,
          name: "command",
          provide: { files_share_process: true },
          isolate: false,
          include: ["apps/cli/**/*.test.ts"],
          globalSetup: ["apps/cli/test/program.ts"],
        },
      },
      { test: { ...shared, name: "optimized", include: OPTIMIZED, execArgv: [] } },
      {
        test: {
          ...shared,
          name: "rest",
          provide: { files_share_process: true },
          // Test files share a process: one import of the service takes 1.5 s of processor time.
          isolate: false,
          include: [
            "packages/**/*.test.ts",
            "apps/{api,dashboard,portal,worker}/**/*.test.ts",
            "{drill,examples,scripts}/**/*.test.ts",
          ],
          exclude: ["**/node_modules/**", ...OPTIMIZED],
        },
      },
    ],
  },
});
