import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { z } from "zod";

/** Licenses that allow redistribution with their text and notices. */
const ALLOWED = new Set(
  "MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 Python-2.0 Unlicense OFL-1.1".split(
    " ",
  ),
);

const NOTICE_FILES = /^(licen[cs]e|notice|copying)/i;

const manifest = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() }).transform(({ name }) => name)]).optional(),
});

interface ThirdParty extends z.output<typeof manifest> {
  /** The texts of licenses and notices. */
  notices: string[];
}

/**
 * Lists the packages in the bundle with their licenses and notices, which nearly all licenses require.
 *
 * @throws if a license is not in `ALLOWED`
 */
export async function describeThirdParties(files: string[]): Promise<string> {
  const folders = new Map<string, string[]>();
  for (const file of files.filter((path) => path.includes("node_modules"))) {
    const folder = packageFolder(file);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const parties = await Promise.all([...folders].map(([folder, used]) => readThirdParty(folder, used)));
  const disallowed = parties.filter(({ license }) => !isAllowed(license));
  if (disallowed.length > 0) {
    const names = disallowed.map(({ name, license }) => `${name} (${license})`).join(", ");
    throw new Error(`Packages without a license known to allow redistribution: ${names}.`);
  }
  const sections = new Map(parties.map((party) => [`${party.name} ${party.version}`, section(party)]));
  return [INTRODUCTION, ...[...sections].sort().map(([, text]) => text)].join("\n");
}

const INTRODUCTION = `# Third-party code

This package contains code from the packages below, each under its own license.
`;

/** `/a/node_modules/@b/c/d/e.js` belongs to the package in `/a/node_modules/@b/c`. */
function packageFolder(file: string): string {
  const folder = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(file)?.[0];
  if (folder === undefined) throw new Error(`${file} belongs to no package.`);
  return folder;
}

async function readThirdParty(folder: string, used: string[]): Promise<ThirdParty> {
  const described_package = manifest.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  const own = (await readdir(folder))
    .filter((name) => NOTICE_FILES.test(name))
    .map((name) => join(folder, name));
  // A prebundled file comes with the notices of its contents.
  const beside = await Promise.all(
    used.map(async (file) =>
      (await readdir(dirname(file)))
        .filter((name) => name === `${basename(file)}.LICENSE.txt`)
        .map((name) => join(dirname(file), name)),
    ),
  );
  const notices = await Promise.all(
    [...own.sort(), ...beside.flat()].map(async (path) => (await readFile(path, "utf8")).trim()),
  );
  return { ...described_package, notices };
}

/** `(MIT OR Apache-2.0)` and the like: every choice must be allowed. */
function isAllowed(license: string): boolean {
  return license
    .replaceAll(/[()]/g, "")
    .split(/ (?:OR|AND) /)
    .every((name) => ALLOWED.has(name));
}

function section({ name, version, license, author, notices }: ThirdParty): string {
  const byline = author === undefined ? "" : `, ${author.replace(/ *<.*>| *\(.*\)/g, "")}`;
  const texts = notices.map((text) => `\n\`\`\`text\n${text.replaceAll("\r\n", "\n")}\n\`\`\`\n`);
  return `## ${name} ${version}\n\n${license}${byline}\n${texts.join("")}`;
}
