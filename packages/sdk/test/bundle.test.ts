import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";

const LARGEST_BYTES = 12_000;

/** Bundles a program with only this source. */
async function bundle(program: string): Promise<{ code: string; inputs: string[]; outside: string[] }> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    write: false,
    metafile: true,
    logLevel: "error",
  });
  const outside = Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path));
  const [output] = Object.values(metafile.outputs);
  const inputs = Object.entries(output?.inputs ?? {}).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  return {
    code: outputFiles[0]?.text ?? "",
    inputs: inputs.map(([path]) => path).filter((path) => path !== "<stdin>"),
    outside,
  };
}

it("keeps the client under 12 kB gzipped without imports", async () => {
  const { code, outside } = await bundle(
    'import { createClient } from "../src/index.ts"; globalThis.client = createClient;',
  );
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(LARGEST_BYTES);
  expect(outside).toEqual([]);
  expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\b/);
});

it("drops unused code", async () => {
  expect((await bundle('import "../src/index.ts"; import "../src/webhooks.ts";')).inputs).toEqual([]);
  const { inputs } = await bundle(
    'import { FindersfeeError } from "../src/index.ts"; globalThis.e = FindersfeeError;',
  );
  expect(inputs.map((path) => path.replace(/^.*src\//, ""))).toEqual(["errors/brand.ts", "errors/errors.ts"]);
  const client = await bundle('import { createClient } from "../src/index.ts"; globalThis.c = createClient;');
  expect(client.inputs.filter((path) => path.includes("webhooks"))).toEqual([]);
});

it("bundles the hash only for verification, without Node modules", async () => {
  const program = (name: string) => `import { ${name} } from "../src/webhooks.ts"; globalThis.it = ${name};`;
  const { code, outside, inputs } = await bundle(program("verify"));
  expect(outside).toEqual([]);
  expect(code).not.toMatch(/\bnode:|\brequire\(|\bprocess\.|\bBuffer\./);
  expect(inputs.filter(isForeign)).not.toEqual([]);
  for (const name of ["memoryDeduplication", "WebhookVerificationError"])
    expect((await bundle(program(name))).inputs.filter(isForeign)).toEqual([]);
});

function isForeign(path: string): boolean {
  return path.includes("node_modules");
}
