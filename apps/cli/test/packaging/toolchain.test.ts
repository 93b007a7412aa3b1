import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parse } from "yaml";
import rootPackageJson from "../../../../package.json" with { type: "json" };

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));

it("pins the package manager's exact version everywhere", async () => {
  expect(rootPackageJson.packageManager).toMatch(/^pnpm@\d+\.\d+\.\d+(\+|$)/);
  const [exact] = rootPackageJson.packageManager.split("+");
  const pages = (await readdir(join(ROOT, "docs"), { recursive: true })).filter((name) =>
    name.endsWith(".md"),
  );
  const files = ["README.md", "CONTRIBUTING.md", ...pages.map((name) => `docs/${name}`)];
  for (const file of files) {
    const named = (await readFile(join(ROOT, file), "utf8")).match(/pnpm@[\d.]*\d/g) ?? [];
    expect(named.map((version) => ({ file, version }))).toEqual(named.map(() => ({ file, version: exact })));
  }
  // CI reads it from package.json.
  expect(await readFile(join(ROOT, ".ci/run"), "utf8")).not.toMatch(/pnpm@/);
});

it("names the oldest version of Node everywhere", async () => {
  const oldest = (await readFile(join(ROOT, ".nvmrc"), "utf8")).trim();
  expect(rootPackageJson.engines.node).toBe(`>=${oldest}`);
  expect(await readFile(join(ROOT, "README.md"), "utf8")).toContain(
    `[Node](https://nodejs.org) ${oldest} or newer`,
  );
});

it("runs the same in CI on every host", async () => {
  const workflow = await readFile(join(ROOT, ".github/workflows/ci.yml"), "utf8");
  expect(workflow).toContain("run: .ci/run\n");
  expect(workflow).toContain("node-version-file: .nvmrc\n");
  expect(workflow).toContain("ADVISORIES: required\n");
});

/** Conditions of tests that are no program of Debian. */
const OTHER_CONDITIONS =
  /^(FULL_TESTS\b.*|!has_chromium|!has_helm|RUNS_SERVICE|process\.platform.*|Boolean\(process\.env\.TEST_DATABASE_URL\))$/;

it("runs each test that needs a program of Debian nightly, and skips none there", async () => {
  const { jobs } = parse(await readFile(join(ROOT, ".github/workflows/nightly.yml"), "utf8"));
  const step = jobs.tools.steps.at(-1);
  expect(step.env).toEqual({ FULL_TESTS: "1", NO_SKIPS: "1" });
  const { stdout } = await promisify(execFile)("git", ["ls-files", "*.test.ts"], { cwd: ROOT });
  const bound: string[] = [];
  for (const name of stdout.trim().split("\n")) {
    const text = await readFile(join(ROOT, name), "utf8");
    const conditions = [...text.matchAll(/\b(?:it|describe)\.(?:skipIf|runIf)\((.*?)\)(?:\.\w+)*[(;]/g)];
    if (conditions.some(([, condition = ""]) => !OTHER_CONDITIONS.test(condition))) bound.push(name);
  }
  expect(bound.length).toBeGreaterThan(10);
  expect(step.run.match(/\S+\.test\.ts/g)).toEqual(bound.sort());
});

/** Runs the advisory check against a registry with this response. */
async function checkAdvisories(
  status: number,
  advisories: object,
  variables: Record<string, string> = {},
): Promise<{ code: number; output: string }> {
  const asked: string[] = [];
  const registry = createServer((request, response) => {
    asked.push(request.url ?? "");
    request.resume();
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(advisories));
  });
  registry.listen(0, "127.0.0.1");
  await once(registry, "listening");
  const url = `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
  const environment = { ...process.env, ...variables, PNPM_CONFIG_REGISTRY: url, npm_config_registry: url };
  const child = execFile(process.execPath, ["--import", "tsx", "scripts/check-advisories.ts"], {
    cwd: ROOT,
    env: environment,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = await once(child, "close");
  registry.close();
  registry.closeAllConnections();
  expect(asked.length).toBeGreaterThan(0);
  return { code, output };
}

function advisoryOf(severity: string) {
  return {
    fastify: [
      {
        id: 1,
        url: "https://github.com/advisories/GHSA-aaaa-bbbb-cccc",
        title: "A made-up advisory",
        severity,
        vulnerable_versions: ">=0.0.0",
        cwe: [],
        cvss: { score: 0, vectorString: null },
      },
    ],
  };
}

it("fails if an advisory of high severity applies to a dependency", async () => {
  const { code, output } = await checkAdvisories(200, advisoryOf("high"));
  expect(output).toContain("A made-up advisory");
  expect(output).toContain("see docs/contributing/dependencies.md");
  expect(code).toBe(1);
});

it.each([
  ["no advisory", {}],
  ["one of moderate severity", advisoryOf("moderate")],
])("passes if %s applies", async (_, advisories) => {
  expect(await checkAdvisories(200, advisories)).toMatchObject({
    code: 0,
    output: expect.stringContaining("none of high or critical severity applies"),
  });
});

it.each([
  ["passes", "", 0],
  ["fails where CI says that it can ask", "required", 1],
])("%s with a notice in the last line if the registry is unreachable", async (_, required, code) => {
  const { output, ...result } = await checkAdvisories(405, {}, { ADVISORIES: required });
  expect(result.code).toBe(code);
  expect(output.trim().split("\n").at(-1)).toBe("Advisories: not checked, the registry is unreachable.");
});
