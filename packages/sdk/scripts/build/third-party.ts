import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

const INTRODUCTION = `# Third-party code

This package contains code from the packages below, each under its own license.
`;

/** `/a/node_modules/@b/c/d/e.js` belongs to the package in `/a/node_modules/@b/c`. */
const PACKAGE_FOLDER = /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/;

/** MIT requires only its text and the copyright notice; any other license needs a review first. */
const manifestSchema = z.object({ name: z.string(), version: z.string(), license: z.literal("MIT") });

/**
 * Lists the bundled packages with their licenses, which must be distributed along with the code.
 *
 * @throws if a package has an unexpected license, or no license text
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
