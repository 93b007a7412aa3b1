import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const INTRODUCTION = `# Code of others

This package contains code of the packages below, each under its own licence.
`;

/** `/a/node_modules/@b/c/d/e.js` is of the package in `/a/node_modules/@b/c`. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** MIT asks for no more than its text and the notice in it; another licence has to be looked at first. */
const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.literal("MIT") });

/**
 * Lists whose code was bundled, with the licences, which have to go with it.
 *
 * @throws if one has another licence than is expected, or no text of it
 */
export async function describeThirdParties(bundled: readonly string[]): Promise<string> {
  const folders = new Set(bundled.flatMap((path) => PACKAGE_FOLDER.exec(path)?.[0] ?? []));
  const sections = await Promise.all([...folders].sort().map(describe));
  return [INTRODUCTION, ...sections].join("\n");
}

async function describe(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const { name, version, license } = manifestSchema.parse(manifest);
  const text = await readFile(join(folder, "LICENSE"), "utf8");
  return `## ${name} ${version}\n\n${license}\n\n\`\`\`text\n${text.trim()}\n\`\`\`\n`;
}
