import { defineConfig } from "vitest/config";

const shared = { pool: "forks", testTimeout: 120_000, hookTimeout: 120_000 } as const;

export default defineConfig({
  test: {
    globalSetup: ["packages/database/test/global-setup.ts"],
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...shared,
          name: "command",
          include: ["apps/cli/**/*.test.ts"],
          globalSetup: ["apps/cli/test/program.ts"],
        },
      },
      {
        test: {
          ...shared,
          name: "rest",
          include: ["packages/**/*.test.ts", "apps/{api,worker}/**/*.test.ts", "examples/**/*.test.ts"],
        },
      },
    ],
  },
});
