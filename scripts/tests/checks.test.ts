import { expect, it } from "vitest";
import { checksOf } from "./checks.ts";

const programs = (changed: string[], existing = changed) =>
  checksOf(changed, existing).map((parameters) => parameters.join(" "));
const lint = (...files: string[]) =>
  ["node_modules/@biomejs/biome/bin/biome check --error-on-warnings --no-errors-on-unmatched", ...files].join(
    " ",
  );
const TYPES = "node_modules/typescript/bin/tsc --checkers 2";
const IMPORTS = "--import tsx scripts/check-imports.ts";

it("lints documents", () => {
  expect(programs(["docs/payouts.md"])).toEqual([lint("docs/payouts.md")]);
});

it("checks modules' types and imports", () => {
  expect(programs(["apps/api/src/main.ts"])).toEqual([lint("apps/api/src/main.ts"), TYPES, IMPORTS]);
});

it("checks what imports a deleted module", () => {
  expect(programs(["apps/api/src/main.ts"], [])).toEqual([TYPES, IMPORTS]);
});

it("checks packages' exports", () => {
  expect(programs(["apps/api/package.json"])).toContain(IMPORTS);
});

it("checks a library without the types of Node", () => {
  expect(programs(["packages/sdk/src/index.ts"])).toContain(
    "node_modules/typescript/bin/tsc -p packages/sdk",
  );
});

it("lints everything by changed rules", () => {
  expect(programs(["biome.json"])).toContain(lint("."));
  expect(programs(["scripts/lint/swallowed-failure.grit"])).toContain(lint("."));
});

it("checks nothing if nothing changed", () => {
  expect(programs([])).toEqual([]);
});
