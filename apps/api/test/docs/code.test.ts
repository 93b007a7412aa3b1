import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { affiliateSchema } from "@findersfee/contract/affiliates/affiliates";
import { setAffiliateRulesInput } from "@findersfee/contract/affiliates/rules";
import { earningStepSchema, paymentDecisionSchema } from "@findersfee/contract/attribution/payment-decisions";
import { auditLogLineSchema } from "@findersfee/contract/audit-log";
import { campaignSchema, createCampaignInput } from "@findersfee/contract/campaigns/campaigns";
import { commissionSchema } from "@findersfee/contract/commissions/commissions";
import { referralSchema } from "@findersfee/contract/customers/referrals";
import { errorBodySchema } from "@findersfee/contract/errors";
import { createAdjustmentInput } from "@findersfee/contract/ledger/adjustments";
import { paginationSchema } from "@findersfee/contract/pages";
import { payoutSchema } from "@findersfee/contract/payouts/payouts";
import { portalTokenSchema } from "@findersfee/contract/portal/tokens";
import { processorMessageSchemas } from "@findersfee/contract/processors/messages";
import { clickDiscountSchema } from "@findersfee/contract/tracking/click-discounts";
import { trackedClickSchema } from "@findersfee/contract/tracking/tracking";
import { eventBodySchemas } from "@findersfee/contract/webhooks/events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type CodeBlock, codeBlocksOf, documents, ROOT } from "../openapi/documents.ts";

/*
 * Each block is a separate module; one with `continued` after its fence extends the previous one. TypeScript
 * is compiled with this repository's strictness.
 */

const blocks = documents.flatMap(codeBlocksOf);
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "findersfee-docs-"));
});

afterAll(() => rm(folder, { recursive: true }));

function modulesOf(language: string): Map<string, string> {
  const modules = new Map<string, string>();
  let name = "";
  for (const { source, line, code, remark, language: written } of blocks) {
    if (written !== language) continue;
    if (remark !== "continued") name = `${source.replaceAll(/[/.]/g, "-")}-line-${line}`;
    modules.set(name, `${modules.get(name) ?? ""}${code}`);
  }
  return modules;
}

/** Compiles the modules next to links to the packages they import; returns the compiler's output. */
async function compile(modules: Map<string, string>, language: "ts" | "js"): Promise<string> {
  const project = await mkdtemp(join(folder, "project-"));
  const code = [...modules.values()].join("\n");
  const imported = [...code.matchAll(/\bfrom "([^"]+)"/g)].map(([, specifier = ""]) => packageOf(specifier));
  for (const name of new Set(["@types/node", ...imported])) {
    if (isBuiltin(name)) continue;
    await link(project, name, packageFolder(name) ?? `${name} is not installed`);
    const types = packageFolder(`@types/${name}`);
    if (types !== null) await link(project, `@types/${name}`, types);
  }
  const compilerOptions =
    language === "ts"
      ? // Some blocks are for backends, and some for pages.
        { noUnusedLocals: false, lib: ["es2023", "dom"] }
      : { strict: false, exactOptionalPropertyTypes: false, allowJs: true, checkJs: true };
  const config = { extends: join(ROOT, "tsconfig.base.json"), compilerOptions, include: ["*.mts", "*.mjs"] };
  await writeFile(join(project, "tsconfig.json"), JSON.stringify(config));
  for (const [name, text] of modules) await writeFile(join(project, `${name}.m${language}`), text);
  return await promisify(execFile)(process.execPath, [tsc, "-p", project]).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string }) => error.stdout ?? String(error),
  );
}

function packageOf(specifier: string): string {
  return specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/");
}

const places = new Map<string, string>();

/** The folder of a workspace package, or of a dependency of one. */
function packageFolder(name: string): string | null {
  return places.get(name) ?? null;
}

beforeAll(async () => {
  for (const parent of ["packages", "apps"]) {
    for (const member of await readdir(join(ROOT, parent))) {
      const place = join(ROOT, parent, member);
      if (!existsSync(join(place, "package.json"))) continue;
      const { name, ...manifest } = manifestSchema.parse(
        JSON.parse(await readFile(join(place, "package.json"), "utf8")),
      );
      places.set(name, place);
      for (const dependency of Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })) {
        if (!places.has(dependency)) places.set(dependency, join(place, "node_modules", dependency));
      }
    }
  }
  places.set("@types/node", join(ROOT, "node_modules/@types/node"));
});

const manifestSchema = z.object({
  name: z.string(),
  dependencies: z.record(z.string(), z.string()).optional(),
  devDependencies: z.record(z.string(), z.string()).optional(),
});

async function link(project: string, name: string, target: string): Promise<void> {
  const place = join(project, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(target, place, "dir");
}

it("TypeScript compiles", async () => {
  const modules = modulesOf("ts");
  expect(modules.size).toBeGreaterThan(5);
  expect(await compile(modules, "ts")).toBe("");
});

it("finds errors in TypeScript", async () => {
  const wrong = 'import { sep } from "node:path";\nexport const separator: number = sep;\n';
  expect(await compile(new Map([["wrong", wrong]]), "ts")).toContain("wrong.mts(2,14): error TS2322");
});

it("accepts JavaScript with valid syntax, imports and names", async () => {
  const output = await compile(modulesOf("js"), "js");
  // Not types: only syntax errors and undefined names.
  expect(output.split("\n").filter((line) => /error TS(1\d{3}|23(04|05|07)|2552|2724):/.test(line))).toEqual(
    [],
  );
});

it("accepts shell commands", async () => {
  const commands = blocks
    .filter(({ language }) => language === "sh")
    .map((block) => ({ place: placeOf(block), code: block.code.replaceAll(/<[a-z][a-z -]*>/g, "value") }));
  expect(commands.length).toBeGreaterThan(5);
  // One process for all of them, each in a function of its own. If they are wrong, one for each finds where.
  const all = commands.map(({ code }, index) => `block_${index}() {\n:\n${code}\n}\n`).join("");
  const is_accepted = await isShell(all);
  const wrong: string[] = [];
  if (!is_accepted) for (const { place, code } of commands) if (!(await isShell(code))) wrong.push(place);
  expect({ is_accepted, wrong }).toEqual({ is_accepted: true, wrong: [] });
});

/** Whether bash can read a script, without running it. */
async function isShell(code: string): Promise<boolean> {
  return await promisify(execFile)("bash", ["-n", "-c", code]).then(
    () => true,
    () => false,
  );
}

const RESOURCES = [campaignSchema, affiliateSchema, referralSchema, commissionSchema, payoutSchema];

/** Messages to the service are shown as sent, without parsed defaults. */
const MESSAGES = Object.values(processorMessageSchemas).map((schema) =>
  z.custom((value) => schema.safeParse(value).success),
);

/** Bodies of requests are shown without fields that differ by program, and without defaults. */
const REQUESTS = [
  z.custom((value) => createCampaignInput.safeParse({ name: "Partners", ...Object(value) }).success),
  z.custom((value) => {
    return setAffiliateRulesInput.safeParse({ affiliate_ids: [randomUUID()], ...Object(value) }).success;
  }),
];

/** The schema of a JSON block, by its content. */
function schemasOf(value: Record<string, unknown>): readonly z.ZodType[] {
  const success = (data: z.ZodType) => z.object({ success: z.literal(true), data });
  if (value.success === true)
    return [...RESOURCES, portalTokenSchema, trackedClickSchema, clickDiscountSchema].map(success);
  if (value.success === false) return [errorBodySchema];
  if ("cursor" in value) return [auditLogLineSchema];
  if ("occurred_at" in value) return MESSAGES;
  if ("outcome" in value) return [paymentDecisionSchema];
  if ("type" in value && "data" in value) return Object.values(eventBodySchemas);
  if ("rule" in value) return [earningStepSchema];
  if ("has_more" in value) return [paginationSchema];
  if ("commission_type" in value || "rules" in value) return [...RESOURCES, ...REQUESTS];
  if ("reason" in value) return [createAdjustmentInput];
  return RESOURCES;
}

/** True if the value contains "…", which marks an omission. */
function leavesOut(value: unknown, path: readonly PropertyKey[]): boolean {
  let at: unknown = value;
  for (const key of path.slice(0, -1)) at = z.record(z.string(), z.unknown()).parse(at)[String(key)];
  return typeof at === "object" && at !== null && ("…" in at || Object.values(at).includes("…"));
}

function isLike(schema: z.ZodType, value: unknown): boolean {
  const elided = JSON.stringify(value).includes("…");
  const { success, data, error } = schema.safeParse(value);
  // A response without omissions must not contain fields unknown to the contract.
  if (success) return elided || isSame(data, value);
  return error.issues.every(({ path, message }) => message === "Required." && leavesOut(value, path));
}

/** Ignores the order of fields. */
function isSame(left: unknown, right: unknown): boolean {
  try {
    expect(left).toEqual(right);
    return true;
  } catch {
    return false;
  }
}

function placeOf({ source, line }: CodeBlock): string {
  return `${basename(source)}, line ${line}`;
}

describe("JSON", () => {
  const shown = blocks.filter(({ language }) => language === "json");
  it.each(shown.map((block) => [placeOf(block), block] as const))(
    "in %s matches the contract",
    (_, block) => {
      const value = z.record(z.string(), z.unknown()).parse(JSON.parse(block.code));
      expect(schemasOf(value).some((schema) => isLike(schema, value))).toBe(true);
    },
  );
});
