import { readFile } from "node:fs/promises";
import { operationsOf } from "@findersfee/api/openapi/operations";
import { v1 } from "@findersfee/api/v1-router";
import { expect, it } from "vitest";
import { generateSources } from "../scripts/generate/sources.ts";

it.each([...generateSources(operationsOf(v1))])(
  "src/%s is up to date with `pnpm --filter @findersfee/sdk generate`",
  async (name, text) => {
    expect(await readFile(new URL(`../src/${name}`, import.meta.url), "utf8")).toBe(text);
  },
);
