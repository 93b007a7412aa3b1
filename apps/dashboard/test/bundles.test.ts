import type { Gate } from "@findersfee/ui/build/bundle-sizes";
import { beforeAll, expect, it } from "vitest";
import { buildDashboard } from "../scripts/build.ts";
import { measureBundles } from "../scripts/check-bundles.ts";

let gates: Gate[];

beforeAll(async () => {
  gates = await measureBundles(await buildDashboard());
});

it("loads no more than its limits on a first visit", () => {
  const sizes = gates.map(({ name, size, limit }) => `${name}: ${size.toFixed(1)} of ${limit} kB`);
  expect(
    gates.filter(({ size, limit }) => size > limit || size === 0),
    sizes.join("\n"),
  ).toEqual([]);
});
