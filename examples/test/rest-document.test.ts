import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXAMPLE_DOCUMENTS, REST_DOCUMENT, shownIn, withExamples } from "../rest-document.ts";

const EXAMPLES = join(import.meta.dirname, "..");

it("shows the programs that are tested; `pnpm --filter @findersfee/examples document` puts them there", () => {
  for (const file of EXAMPLE_DOCUMENTS) {
    const text = readFileSync(file, "utf8");
    expect(text).toBe(withExamples(text));
  }
  const document = readFileSync(REST_DOCUMENT, "utf8");
  const programs = ["curl", "python", "php", "go", "ruby"].flatMap((language) =>
    readdirSync(join(EXAMPLES, language)).map((file) => `examples/${language}/${file}`),
  );
  expect(shownIn(document).toSorted()).toEqual(programs.toSorted());
});

it("generates clients by the commands that are tested", () => {
  const document = readFileSync(REST_DOCUMENT, "utf8");
  for (const file of readdirSync(join(EXAMPLES, "typescript"))) {
    const [, command] =
      /^\/\/ (npx .*)\n/.exec(readFileSync(join(EXAMPLES, "typescript", file), "utf8")) ?? [];
    expect(document.split("\n")).toContain(command);
  }
});
