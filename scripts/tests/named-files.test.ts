import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const DOCUMENT = /^(?:README|CONTRIBUTING)\.md$|^docs\/.*\.md$/;
const SOURCE = /\.(?:tsx?|mjs|sql)$/;
/** Sources with comments that may not change: the database stores checksums of migrations. */
const FIXED = /^packages\/database\/(?:migrations|test\/schema\/former-schema)\//;

const CODE_BLOCK = /^ *```.*?^ *```/gms;
/** Comments of TypeScript, and of SQL inside and outside of it. */
const COMMENT = /(?<=^|[\s{])(?:\/\/|\/\*+|\*|--)(?= )(.*)/gm;
/** A whole name or path: not the rest of a pattern such as `*.test.ts`. */
const NAME = /(?<![\w@./*…<>${}-])[\w@.][\w@./-]*\.(?:tsx?|mjs|sql)(?![\w-])/g;

/** Names of files that are not in this repository, by reason. */
const ELSEWHERE: Record<string, string[]> = {
  "An example that a reader writes.": [
    "0021_affiliate_nickname.sql",
    "app/webhooks/route.ts",
    "first-commission.mjs",
    "next.config.mjs",
    "receive.mjs",
  ],
  "A client that a program of others generates.": ["findersfee.ts"],
  "A form of names.": ["./x.ts", "./x.d.ts", "NNNN_name.sql"],
};

const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && existsSync(join(ROOT, file)));

const endings = new Set(
  files.flatMap((file) => {
    const parts = file.split("/");
    return parts.map((_, index) => parts.slice(index).join("/"));
  }),
);

/** The text of a file in which names of files must be right. */
function proseOf(file: string): string {
  const text = readFileSync(join(ROOT, file), "utf8");
  if (DOCUMENT.test(file)) return text.replaceAll(CODE_BLOCK, "");
  return [...text.matchAll(COMMENT)].map(([, comment = ""]) => comment).join("\n");
}

it("names no file in a document or a comment that does not exist", () => {
  const elsewhere = Object.values(ELSEWHERE).flat();
  const read = files.filter((file) => DOCUMENT.test(file) || (SOURCE.test(file) && !FIXED.test(file)));
  expect(read.length).toBeGreaterThan(1_000);
  const missing = read.flatMap((file) =>
    [...proseOf(file).matchAll(NAME)]
      .filter(([name]) => !endings.has(name.replace(/^(?:\.{1,2}\/)+/, "")))
      .map(([name]) => ({ file, name })),
  );
  expect(missing.filter(({ name }) => !elsewhere.includes(name))).toEqual([]);
  const named = missing.map(({ name }) => name);
  expect(elsewhere.filter((name) => !named.includes(name))).toEqual([]);
});
