import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";

const SOURCE = join(import.meta.dirname, "../src");

/** A text with a number among its parameters, up to the next one. */
const TEXT = /\(([^()]*: number[^()]*)\)(?:: string)? =>(.*?)(?=,\n\s*\w+:|\n\};|;\n)/gs;
/** Numbers that are no counts, or small: a second run, the 15th, line 1204 of a file. */
const ORDINALS = ["number", "day", "place", "line", "seconds", "percent", "part", "months"];

it("writes each count in texts with separators, as 1,372", async () => {
  const wrong: string[] = [];
  const paths = await readdir(SOURCE, { recursive: true });
  for (const path of paths.filter((name) => name.endsWith("texts.ts"))) {
    const source = await readFile(join(SOURCE, path), "utf8");
    for (const [, parameters = "", body = ""] of source.matchAll(TEXT)) {
      const counts = [...parameters.matchAll(/(\w+): number/g)].map(([, name = ""]) => name);
      const written = counts.filter((name) => !ORDINALS.includes(name) && body.includes(`\${${name}}`));
      wrong.push(...written.map((name) => `${path}: ${name}`));
    }
    if (source.includes("toLocaleString(")) wrong.push(`${path}: toLocaleString`);
  }
  expect(wrong).toEqual([]);
});
