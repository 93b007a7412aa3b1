import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { renderMarkdown } from "../../src/docs/markdown.ts";
import { documents, ROOT, readDocument, tableBelow } from "../openapi/documents.ts";

const GLOSSARY = "docs/glossary.md";
const STYLE = "docs/contributing/style.md";

interface Use {
  phrase: string;
  replacement: string;
}

/** The rows of "Words to avoid", one for each phrase. */
const avoided: readonly Use[] = tableBelow(STYLE, "avoid").flatMap(([phrases = "", replacement = ""]) =>
  phrases.split(", ").map((phrase) => ({ phrase, replacement })),
);

/** The words of a name or a heading, in lower case and with a space around each: ` find by hand `. */
function wordsOf(text: string): string {
  const words = text
    .replaceAll(/([a-z\d])([A-Z])/g, "$1 $2")
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .match(/[a-z]+/g);
  return ` ${words?.join(" ") ?? ""} `;
}

function usesIn(text: string): Use[] {
  const words = wordsOf(text);
  return avoided.filter(({ phrase }) => words.includes(` ${phrase} `));
}

/** A line for each word to avoid in the name, with the word to use. */
function reportsOf(file: string, name: string): string[] {
  return usesIn(name).map(
    ({ phrase, replacement }) => `${file}: ${name}: use ${replacement} instead of ${phrase}`,
  );
}

function headingsOf(source: string): string[] {
  return renderMarkdown(readDocument(source), source).sections.map(({ heading }) => heading);
}

/** The names that a module exports, under the names that importers see. */
function exportsOf(source: string): string[] {
  const declared = source.matchAll(
    /^export (?:declare |abstract |async )*(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm,
  );
  const lists = source.matchAll(/^export (?:type |const )?\{([^}]*)\}/gm);
  return [
    ...[...declared].map(([, name = ""]) => name),
    ...[...lists].flatMap(([, list = ""]) =>
      list.split(",").flatMap((item) => item.trim().match(/\w+$/)?.[0] ?? []),
    ),
  ];
}

/** The modules of all packages and apps, without their tests. */
const modules = ["packages", "apps"]
  .flatMap((folder) => readdirSync(join(ROOT, folder)).map((name) => join(ROOT, folder, name, "src")))
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((path) => /(?<!\.test|\.d)\.tsx?$/.test(path))
      .map((path) => join(folder, path)),
  );

const exported = modules.flatMap((path) =>
  exportsOf(readFileSync(path, "utf8")).map((name) => ({ file: relative(ROOT, path), name })),
);

describe("the glossary", () => {
  it("defines each term once, in alphabetical order, in one sentence", () => {
    const rows = tableBelow(GLOSSARY, "term");
    const terms = rows.map(([term = ""]) => term);
    expect(terms.length).toBeGreaterThanOrEqual(30);
    expect(terms).toEqual([...new Set(terms)].sort());
    for (const [term, definition] of rows) expect(definition, term).toMatch(/^[A-Z][^.]*(?:\.\w[^.]*)*\.$/);
  });

  it("has a replacement for each word to avoid", () => {
    expect(avoided.length).toBeGreaterThan(40);
    for (const { phrase, replacement } of avoided) {
      expect(phrase).toMatch(/^[a-z]+( [a-z]+)*$/);
      expect(usesIn(replacement), phrase).toEqual([]);
    }
  });

  it("finds a word to avoid in any spelling", () => {
    for (const name of ["settleMail", "SETTLE_SECONDS", "mailSettle", "settle", "Settle the mail"]) {
      expect(usesIn(name).map(({ phrase }) => phrase)).toEqual(["settle"]);
    }
    expect(usesIn("noteSetByHand").map(({ phrase }) => phrase)).toEqual(["by hand"]);
    for (const name of ["whole", "handBy", "keeper", "unsettled"]) expect(usesIn(name)).toEqual([]);
    expect(exportsOf('export { a, type B as C } from "./d.ts";\nexport async function e() {}\n')).toEqual([
      "e",
      "a",
      "C",
    ]);
  });
});

describe("words to avoid", () => {
  it("are in no exported name", () => {
    expect(exported.length).toBeGreaterThan(1_000);
    expect(exported.flatMap(({ file, name }) => reportsOf(file, name))).toEqual([]);
  });

  it.each(documents)("are in no heading of %s", (source) => {
    expect(headingsOf(source).flatMap((heading) => reportsOf(source, heading))).toEqual([]);
  });
});

/** Former words on screens for custom domains, and for amounts that are held or due. */
const FORMER =
  /\b(?:own host names?|host names? of (?:your own|links|organizations|portals)|(?:is|are|be) owed)\b/gi;

describe("former words of screens", () => {
  it.each(documents.filter((source) => source !== STYLE))("are not in %s", (source) => {
    const text = readDocument(source).replaceAll(/\s+/g, " ").replaceAll("the service's own host name", "");
    expect(text.match(FORMER)).toBeNull();
  });

  it("are in no error message and no description of the contract", () => {
    const contract = modules.filter((path) => path.includes("packages/contract/src/"));
    expect(contract.length).toBeGreaterThan(50);
    for (const path of contract) {
      // Comments are for contributors.
      const code = readFileSync(path, "utf8").replaceAll(/^\s*(?:\/\*\*|\*|\/\/).*$/gm, "");
      expect(code.match(FORMER), relative(ROOT, path)).toBeNull();
    }
  });
});
