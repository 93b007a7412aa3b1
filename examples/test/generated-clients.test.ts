import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Outcome, Running } from "./running.ts";

const EXAMPLES = join(import.meta.dirname, "..");
const MODULES = join(EXAMPLES, "node_modules");
const OURS = join(EXAMPLES, "../node_modules");

/** Each with the command that generates its client in its first line. */
const PROGRAMS = ["with-openapi-fetch", "with-swagger-typescript-api"];

/** As strict as a consumer's compiler can well be; the declarations of libraries are checked, too. */
const OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  module: "nodenext",
  rewriteRelativeImportExtensions: true,
  types: ["node"],
  typeRoots: [join(OURS, "@types")],
  outDir: "out",
};

let service: TestService;
let folder: string;
let compiled: Outcome;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), "findersfee-clients-"));
  await symlink(MODULES, join(folder, "node_modules"));
  await writeFile(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: OPTIONS }));
  await Promise.all(PROGRAMS.map(generate));
  compiled = await run(folder, [join(OURS, ".bin/tsc")]);
}, 120_000);

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Runs a command as a newcomer would who has the packages of the examples. */
async function run(
  cwd: string,
  command: string[],
  environment: Record<string, string> = {},
): Promise<Outcome> {
  const PATH = [join(MODULES, ".bin"), process.env.PATH].join(delimiter);
  return await new Running(command, { PATH, FINDERSFEE_URL: service.url, ...environment }, cwd).outcome();
}

/** Has the client generated beside the program. */
async function generate(name: string): Promise<void> {
  const place = join(folder, name);
  await mkdir(place);
  await copyFile(join(EXAMPLES, "typescript", `${name}.ts`), join(place, "program.ts"));
  const [, command = ""] = /^\/\/ npx (.*)/.exec(await readFile(join(place, "program.ts"), "utf8")) ?? [];
  expect(await run(place, ["sh", "-c", command])).toMatchObject({ code: 0 });
  const client = join(place, "findersfee.ts");
  // One of them would keep the compiler from looking at its client.
  await writeFile(client, (await readFile(client, "utf8")).replace(/^\/\/ @ts-nocheck$/m, ""));
}

it("generated clients compile under strict rules", () => {
  expect(compiled).toEqual({ code: 0, stdout: "", stderr: "" });
});

describe.for(PROGRAMS)("the program %s", (name) => {
  async function runProgram(api_key: string): Promise<Outcome> {
    const command = [process.execPath, join("out", name, "program.js")];
    return await run(folder, command, { FINDERSFEE_API_KEY: api_key });
  }

  it("creates, lists by cursor, and tells errors apart", async () => {
    const { api_key } = await service.organization();
    const { stdout, stderr } = await runProgram(api_key);
    expect(stderr).toBe("");
    expect(stdout.trimEnd().split("\n")).toEqual([
      "ada https://example.com/?via=ada",
      "ben https://example.com/?via=ben",
      "cyd https://example.com/?via=cyd",
      "ada exists",
      "cyd@example.com",
      "ben@example.com",
      "ada@example.com",
    ]);
  });

  it("says what the service said when it is refused", async () => {
    const { code, stderr } = await runProgram("ff_sk_wrong");
    expect(code).toBe(1);
    expect(stderr).toMatch(/Error: unauthorized: Send a valid API key.* \(req-/);
  });
});
