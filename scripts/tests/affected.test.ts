import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { affectedTests, closest } from "./affected.ts";
import durations from "./durations.json" with { type: "json" };
import { type Readers, readersOf } from "./import-graph.ts";

const ROOT = join(import.meta.dirname, "../..");

/** An import statement. Written literally, `pnpm imports` would read it as an import of this file. */
const importing = (names: string, specifier: string) => `import ${names} from ${JSON.stringify(specifier)};`;

const FILES: Record<string, string> = {
  "packages/domain/package.json": JSON.stringify({
    name: "@findersfee/domain",
    exports: { "./testing/*": "./test/*.ts", "./*": "./src/*.ts" },
  }),
  "packages/domain/src/payouts/list.ts": importing("type { Row }", "../row.ts"),
  "packages/domain/src/row.ts": "export interface Row {}",
  "packages/domain/test/payouts/list.test.ts": importing("{ list }", "../../src/payouts/list.ts"),
  "packages/domain/test/program.ts": importing("{ list }", "../src/payouts/list.ts"),
  "apps/api/src/router.ts": importing("{ list }", "@findersfee/domain/payouts/list"),
  "apps/api/test/docs/docs.test.ts": `readFile(join(ROOT, "docs", name)); ${importing("{ router }", "../../src/router.ts")}`,
  "apps/api/test/payouts/payouts.test.ts": importing("{\n  router,\n}", "../../src/router.ts"),
  "apps/api/test/program.test.ts": importing("{ list }", "@findersfee/domain/testing/program"),
  "apps/cli/test/payouts-list.test.ts": importing("{ router }", "../../api/src/router.ts"),
  "docs/payouts.md": "# Payouts",
};

let root: string;
let readers: Readers;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "findersfee-affected-"));
  for (const [file, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text);
  }
  readers = readersOf(root, Object.keys(FILES));
});

afterAll(() => rm(root, { recursive: true }));

describe("affectedTests", () => {
  const affected = (...changed: string[]) => affectedTests(changed, readers).map(({ file }) => file);

  it("finds tests that import the change, directly or through packages, the same resource first", () => {
    expect(affected("packages/domain/src/payouts/list.ts")).toEqual([
      "packages/domain/test/payouts/list.test.ts",
      "apps/cli/test/payouts-list.test.ts",
      "apps/api/test/payouts/payouts.test.ts",
      "apps/api/test/docs/docs.test.ts",
      "apps/api/test/program.test.ts",
    ]);
  });

  it("omits tests that import only types of the change", () => {
    expect(affected("packages/domain/src/row.ts")).toEqual([]);
  });

  it("finds tests that name the folder of a document", () => {
    expect(affected("docs/payouts.md")).toEqual(["apps/api/test/docs/docs.test.ts"]);
  });

  it("includes a test that changed itself", () => {
    expect(affected("apps/api/test/docs/docs.test.ts")).toEqual(["apps/api/test/docs/docs.test.ts"]);
  });
});

describe("closest", () => {
  const tests = [
    { file: "long", changed: false, distance: -3 },
    { file: "near", changed: false, distance: 1 },
    { file: "changed", changed: true, distance: 1 },
    { file: "far", changed: false, distance: 2 },
  ];
  const secondsOf = (file: string) => ({ changed: 30, long: 20 })[file] ?? 6;

  it.each([
    [30, 2, ["changed", "long", "near"]],
    [15, 3, ["changed", "near", "far"]],
    [10, 1, ["changed"]],
  ])(
    "takes what runs in %s s on each of %s processors, and all tests that changed",
    (seconds, processors, files) => {
      expect(closest(tests, { seconds, processors, secondsOf })).toEqual(files);
    },
  );
});

it("has durations of existing files only", () => {
  expect(Object.keys(durations).filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
});

it("finds the files that Vitest's setup and other processes read", () => {
  const files = [
    "packages/database/test/test-database.ts",
    "packages/database/test/global-setup.ts",
    "apps/cli/test/command-line.ts",
    "apps/cli/test/program.ts",
    "apps/cli/src/main.ts",
  ];
  expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  const found = readersOf(ROOT, files);
  expect([...(found.get("apps/cli/src/main.ts") ?? [])]).toEqual(["apps/cli/test/program.ts"]);
});
