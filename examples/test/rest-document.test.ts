import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { EXAMPLE_DOCUMENTS, REST_DOCUMENT, shownIn, withExamples } from "../rest-document.ts";

const EXAMPLES = join(import.meta.dirname, "..");

it("shows the tested programs (update it with `pnpm --filter @findersfee/examples document`)", () => {
  const documents = EXAMPLE_DOCUMENTS.map((file) => readFileSync(file, "utf8"));
  for (const text of documents) expect(text).toBe(withExamples(text));
  const programs = ["curl", "migrating", "python", "php", "go", "ruby"].flatMap((language) =>
    readdirSync(join(EXAMPLES, language)).map((file) => `examples/${language}/${file}`),
  );
  expect(documents.flatMap(shownIn).toSorted()).toEqual(programs.toSorted());
});

it("shows the tested commands for generating clients", () => {
  const document = readFileSync(REST_DOCUMENT, "utf8");
  for (const file of readdirSync(join(EXAMPLES, "typescript"))) {
    const [, command] =
      /^\/\/ (npx .*)\n/.exec(readFileSync(join(EXAMPLES, "typescript", file), "utf8")) ?? [];
    expect(document.split("\n")).toContain(command);
  }
});
