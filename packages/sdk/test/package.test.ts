import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { casesOf, FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { build } from "esbuild";
import { publint } from "publint";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { compile, type Packed, pack, readmeExamples, run } from "./packed.ts";
import { type Service, startService } from "./service.ts";

let service: Service;
let packed: Packed;
/** An empty folder with the package installed. */
let home: string;

/** The folder of Node's types. */
const TYPES = fileURLToPath(new URL("../../../node_modules/@types", import.meta.url));

const STRICT = {
  strict: true,
  skipLibCheck: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  target: "es2022",
  module: "nodenext",
  types: [],
};

beforeAll(async () => {
  [service, packed] = await Promise.all([startService(), pack()]);
  home = join(packed.folder, "home");
  await mkdir(home);
  const install = ["install", "--offline", "--no-audit", "--no-fund", packed.tarball];
  await run("npm", install, { cwd: home });
});

afterAll(async () => {
  await packed.remove();
  await service.close();
});

/** Creates a folder below the package's folder with these sources and compiler options. */
async function project(name: string, sources: Record<string, string>, options: object): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  for (const [file, text] of Object.entries(sources)) await writeFile(join(folder, file), text);
  await writeFile(
    join(folder, "tsconfig.json"),
    JSON.stringify({ compilerOptions: { ...STRICT, ...options } }),
  );
  return folder;
}

/** The example with its placeholders replaced by the test's values. */
function filledIn(example: string): string {
  return example.replace("ff_sk_…", service.api_key).replace("http://localhost:3000", service.url);
}

it("installs no dependencies", async () => {
  const { stdout } = await run("npm", ["ls", "--all", "--parseable"], { cwd: home });
  expect(stdout.trim().split("\n").slice(1)).toEqual([join(home, "node_modules/@findersfee/sdk")]);
});

describe("the README's example", () => {
  it("compiles in strict mode and runs", async () => {
    const [example = ""] = await readmeExamples();
    const folder = await project("example", { "example.mts": filledIn(example) }, {});
    expect(await compile(folder)).toBe("");
    const { stdout } = await run(process.execPath, [join(folder, "example.mjs")]);
    expect(stdout).toBe("https://example.com/?via=jane\njane@example.com 0\n");
  });

  it.runIf(FULL_TESTS)("fails to compile with a wrong type", async () => {
    const [example = ""] = await readmeExamples();
    const wrong = example.replace("commission_amount: 30", 'commission_amount: "30%"');
    const folder = await project("wrong", { "example.mts": wrong }, { noEmit: true });
    expect(await compile(folder)).toMatch(
      /^example\.mts\(\d+,3\): error TS2322: Type 'string' is not assignable to type 'number'\.$/m,
    );
  });

  it.runIf(FULL_TESTS)("compiles, like all others", async () => {
    const examples = await readmeExamples();
    const sources = Object.fromEntries(examples.map((code, index) => [`example-${index}.mts`, code]));
    expect(examples.length).toBeGreaterThan(4);
    expect(await compile(await project("examples", sources, { noEmit: true }))).toBe("");
  });
});

describe("the declarations hold", () => {
  const source = `
    import { createClient, type Affiliate, type Event, type List } from '@findersfee/sdk';
    const { affiliates, events } = createClient({ apiKey: "ff_sk_x", baseUrl: "http://localhost" });
    export const list: List<Affiliate> = affiliates.list({ approved: true });
    export const rows: AsyncIterable<Event> = events.list();
    // @ts-expect-error there is no such field
    affiliates.create({ email: "jane@example.com", colour: "green" });
    // @ts-expect-error only creations take a key
    affiliates.get({ id: "x" }, { idempotencyKey: "x" });
  `;
  const webhooks = `
    import { fetchHandler, verify, type VerifiedDelivery } from '@findersfee/sdk/webhooks';
    export const handler = fetchHandler({
      secret: ["whsec_x"],
      onEvent: { "commission.created": ({ data }, { id }) => [id, data.commission_amount * 2] },
    });
    export const verified: Promise<VerifiedDelivery> = verify(new Uint8Array(), new Map([["webhook-id", "x"]]), "whsec_x");
    // @ts-expect-error an event of this type has no such field
    fetchHandler({ secret: "whsec_x", onEvent: { "commission.created": ({ data }) => data.colour } });
  `;
  // True only if a handler's types are exactly the environment's own.
  const own = `
    type Is<Type> = <T>() => T extends Type ? 1 : 2;
    type Same<One, Other> = Is<One> extends Is<Other> ? true : false;
    export const same: Same<typeof handler, (request: Request) => Promise<Response>> = true;
  `;
  const none = `
    // @ts-expect-error there is none
    export type Missing = Request | Response;
    export const status: Promise<number> = handler({
      method: "POST", headers: { get: () => null }, bodyUsed: false, body: null,
    }).then((respond) => respond.status);
  `;
  const environments = [
    ["for CommonJS", ".cts", own, {}],
    ["with the DOM's library", ".mts", own, { lib: ["es2022", "dom"] }],
    ["with Node's types", ".mts", own, { lib: ["es2022"], types: ["node"], typeRoots: [TYPES] }],
    ["with neither the DOM's library nor Node's types", ".mts", none, { lib: ["es2022"] }],
    ["for a bundler", ".mts", own, { module: "preserve", moduleResolution: "bundler" }],
  ] as const;
  it.each(FULL_TESTS ? environments : environments.slice(0, 1))(
    "%s",
    async (name, extension, environment, options) => {
      const sources = { [`use${extension}`]: source, [`webhooks${extension}`]: webhooks + environment };
      const folder = await project(name.replaceAll(/\W/g, "-"), sources, { noEmit: true, ...options });
      expect(await compile(folder)).toBe("");
    },
  );
});

const IMPORT = `import { verify, WebhookVerificationError } from '@findersfee/sdk/webhooks';`;
const IMPORT_REQUIRE = `
  import webhooks = require('@findersfee/sdk/webhooks');
  const { verify, WebhookVerificationError } = webhooks;
`;

/** Uses both entry points and prints their exports as seen by a program. */
const program = (importWebhooks: string) => `
  import { createClient, FindersfeeError, type Campaign, type List } from '@findersfee/sdk';
  ${importWebhooks}

  const findersfee = createClient({ apiKey: "ff_sk_…", baseUrl: "http://localhost:3000" });
  const campaigns: List<Campaign> = findersfee.campaigns.list();

  async function use(): Promise<void> {
    console.log((await campaigns).data.length >= 0);
    await findersfee.affiliates.create({ email: "nothing" }).catch((error: unknown) => {
      if (error instanceof FindersfeeError) console.log(error.code, error.issues[0]?.path);
    });
    await verify("{}", {}, "whsec_" + btoa("x".repeat(24))).catch((error: unknown) => {
      if (error instanceof WebhookVerificationError) console.log(error.code);
    });
  }
  void use();
`;
const PRINTED = "true\ninvalid_request email\nmissing_header\n";

describe.each(FULL_TESTS ? ["node16", "node18", "nodenext"] : ["nodenext"])(
  "with TypeScript's module mode %s",
  (module) => {
    const imports = [
      ["an import of a CommonJS file", "cts", "cjs", IMPORT],
      ["an import of an ES module", "mts", "mjs", IMPORT],
      ["an import = require() of a CommonJS file", "cts", "cjs", IMPORT_REQUIRE],
    ] as const;
    it.each(casesOf(imports, { short: 2 }))(
      "%s compiles in strict mode and runs",
      async (name, extension, output, importWebhooks) => {
        const options = { module, lib: ["es2022", "dom"] };
        const sources = { [`use.${extension}`]: filledIn(program(importWebhooks)) };
        const folder = await project(`${module}-${name.replaceAll(/\W+/g, "-")}`, sources, options);
        expect(await compile(folder)).toBe("");
        expect((await run(process.execPath, [join(folder, `use.${output}`)])).stdout).toBe(PRINTED);
      },
    );
  },
);

describe.runIf(FULL_TESTS).each(["esnext", "preserve"])(
  "for a bundler, with the module mode %s",
  (module) => {
    it.each(["esm", "cjs"] as const)("compiles in strict mode and runs as %s", async (format) => {
      const options = { module, moduleResolution: "bundler", noEmit: true, lib: ["es2022", "dom"] };
      const folder = await project(
        `bundler-${module}-${format}`,
        { "use.ts": filledIn(program(IMPORT)) },
        options,
      );
      expect(await compile(folder)).toBe("");
      const outfile = join(folder, `use.${format === "esm" ? "mjs" : "cjs"}`);
      await build({ entryPoints: [join(folder, "use.ts")], bundle: true, format, platform: "node", outfile });
      expect((await run(process.execPath, [outfile])).stdout).toBe(PRINTED);
    });
  },
);

it("recognizes errors across copies in a process that imports and requires it", async () => {
  const source = `
    import { createRequire } from "node:module";
    import { createClient, FindersfeeError } from '@findersfee/sdk';
    import { verify, WebhookVerificationError } from '@findersfee/sdk/webhooks';
    const require = createRequire(import.meta.url);
    const required = { ...require("@findersfee/sdk"), ...require("@findersfee/sdk/webhooks") };
    const failure = async (call) => call.then(() => null, (error) => error);
    const get = (create) => failure(create({ apiKey: "ff_sk_x", baseUrl: "http://localhost" }).campaigns.get(1n));
    class Own extends FindersfeeError {}
    const own = new Own({ code: "timeout", message: "" });
    const errors = [await get(createClient), await get(required.createClient)];
    const refusals = [await failure(verify("", {}, "")), await failure(required.verify("", {}, ""))];
    console.log(JSON.stringify([
      required.FindersfeeError !== FindersfeeError,
      errors.map((error) => [error instanceof FindersfeeError, error instanceof required.FindersfeeError]),
      refusals.map((error) => [
        error instanceof WebhookVerificationError, error instanceof required.WebhookVerificationError,
      ]),
      [own instanceof Own, own instanceof FindersfeeError, own instanceof required.FindersfeeError],
      [errors[0] instanceof Own, refusals[0] instanceof FindersfeeError, null instanceof FindersfeeError],
      [new Error("") instanceof FindersfeeError, errors[0] instanceof Error],
    ]));
  `;
  const folder = await project("copies", { "use.mjs": source }, {});
  const { stdout } = await run(process.execPath, [join(folder, "use.mjs")]);
  expect(JSON.parse(stdout)).toEqual([
    true,
    [
      [true, true],
      [true, true],
    ],
    [
      [true, true],
      [true, true],
    ],
    [true, true, true],
    [false, false, false],
    [false, true],
  ]);
});

it("contains the documentation and no sources", async () => {
  const { stdout } = await run("tar", ["-tzf", packed.tarball]);
  const files = stdout
    .trim()
    .split("\n")
    .map((path) => path.replace("package/", ""));
  expect(files).toEqual(expect.arrayContaining(["README.md", "LICENSE", "THIRD-PARTY.md"]));
  for (const entry of ["index", "embed", "webhooks"]) {
    const built = ["js", "d.ts", "cjs", "d.cts"].map((extension) => `${entry}.${extension}`);
    expect(files).toEqual(expect.arrayContaining(built));
  }
  expect(files.filter((path) => /(?<!\.d)\.c?ts$|test|\.map$/.test(path))).toEqual([]);
});

it("passes publint", async () => {
  const tarball = await readFile(packed.tarball);
  const { messages } = await publint({ pack: { tarball: new Uint8Array(tarball).buffer }, strict: true });
  expect(messages).toEqual([]);
});

it.runIf(FULL_TESTS)("passes are-the-types-wrong", async () => {
  const tarball = await readFile(packed.tarball);
  const result = await checkPackage(createPackageFromTarballData(new Uint8Array(tarball)));
  expect(result.types === false ? ["no types"] : result.problems).toEqual([]);
});
