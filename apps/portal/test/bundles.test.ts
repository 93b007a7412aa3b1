import { expect, it } from "vitest";
import { buildPortal } from "../scripts/build.ts";
import { measureBundles } from "../scripts/check-bundles.ts";

it("loads no more than its limits on a first visit", async () => {
  const gates = await measureBundles(await buildPortal());
  const sizes = gates.map(({ name, size, limit }) => `${name}: ${size.toFixed(1)} of ${limit} kB`);
  expect(gates.map(({ name }) => name)).toContain("src/reports/home-page.tsx");
  expect(
    gates.filter(({ size, limit }) => size > limit || size === 0),
    sizes.join("\n"),
  ).toEqual([]);
});
