import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseJson } from "../../src/rest/json-body.ts";
import { app_router } from "../../src/router.ts";
import { responseError } from "../response-error.ts";
import { startTestService, type TestService } from "../test-service.ts";
import {
  KNOWN,
  linearPatterns,
  patternsIn,
  patternsReachedFrom,
  sourcesBelow,
  superlinearProblem,
} from "./regular-expressions.ts";

/** Everything that reads requests, inbound webhooks, or responses of other servers. */
const SCANNED = [
  "packages/contract/src",
  "packages/database/src",
  "packages/domain/src",
  "packages/log/src",
  "packages/sdk/src",
  "packages/tracker/src",
  "apps/api/src",
  "apps/worker/src",
];

/** Patterns that take more than linear time, each with the reason why no request can make them slow. */
const BOUNDED: { file: string; pattern: string; reason: string }[] = [
  { file: "earn.ts", pattern: "/0+$/", reason: "reads 6 digits" },
];

/** `RegExp`s built at run time, by their source code, each with an example. */
const BUILT: Record<string, RegExp> = {
  "new RegExp(`^ff_(sk|pk)_[0-9A-Za-z]{${LENGTH}}$`)": /^ff_(sk|pk)_[0-9A-Za-z]{43}$/,
  "new RegExp(`^${FOLDER}\\\\.new-([0-9]+)`)": /^postgres\.new-([0-9]+)/,
  'new RegExp(`lock file "${LOCK_FILE}" (already exists|is empty)`)':
    /lock file "postmaster\.pid" (already exists|is empty)/,
  'new RegExp(`^${escaped.replace(/:\\w+/g, "[^/]+").replace(/\\\\\\*$/, ".*")}$`)':
    /^\/v1\/affiliates\/[^/]+\/links\/[^/]+\/.*$/,
  "new RegExp(`(?:^|; )${name}=([^;]+)`)": /(?:^|; )findersfee_click=([^;]+)/,
};

/** The analysis takes seconds, on a busy machine minutes. */
const PATIENCE = { timeout: 600_000 };

describe("no regular expression takes more than linear time", PATIENCE, () => {
  it.each(SCANNED)("in %s", (folder) => {
    const problems: string[] = [];
    for (const { place, source } of sourcesBelow(folder)) {
      const { literals, built } = patternsIn(source, place);
      for (const { code } of built) {
        if (!(code in BUILT)) problems.push(`${place}: add ${code} to BUILT, with a pattern that it builds`);
      }
      for (const { pattern } of literals) {
        const problem = isBounded(place, pattern) ? null : superlinearProblem(pattern);
        if (problem !== null) problems.push(`${place}: ${problem}`);
      }
    }
    expect(problems).toEqual([]);
  });

  it("among those built at run time", () => {
    expect(Object.values(BUILT).flatMap((pattern) => superlinearProblem(pattern) ?? [])).toEqual([]);
  });

  it("in request schemas, including zod's formats", async () => {
    const contract = join(import.meta.dirname, "../../../../packages/contract/src");
    const names = readdirSync(contract, { recursive: true })
      .map(String)
      .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
    const modules = await Promise.all(names.map((name) => import(pathToFileURL(join(contract, name)).href)));
    const patterns = patternsReachedFrom([modules, app_router._def]);
    expect(patterns.length).toBeGreaterThan(10);
    expect(patterns.flatMap((pattern) => superlinearProblem(pattern) ?? [])).toEqual([]);
  });

  // `FULL_TESTS=1 npx vitest run -u apps/api/test/openapi/regular-expressions` writes the file.
  it.runIf(FULL_TESTS)("and the file of those that the short form need not analyze is complete", async () => {
    await expect(`${linearPatterns().join("\n")}\n`).toMatchFileSnapshot(KNOWN);
  });
});

function isBounded(place: string, pattern: RegExp): boolean {
  return BOUNDED.some((known) => place.endsWith(`/${known.file}`) && known.pattern === String(pattern));
}

describe("the check itself", () => {
  it.each(["/0+$/", "/^(a+)+$/", "/\\s+$/g", "/^(\\w+\\s?)*$/", "/\\s*\\n\\s*/g", "/^.*a.*b$/"])(
    "finds %s in source code",
    (literal) => {
      const { literals } = patternsIn(
        `export function f(a: string): boolean { return ${literal}.test(a); }`,
        "f.ts",
      );
      const [found] = literals;
      if (found === undefined) throw new Error("literal not found");
      expect(superlinearProblem(found.pattern)).toContain(String(found.pattern));
    },
  );

  it("finds patterns built at run time", () => {
    const { built } = patternsIn("const a = new RegExp(x + '+$'); const b = RegExp(y);", "f.ts");
    expect(built.map(({ code }) => code)).toEqual(['new RegExp(x + "+$")', "RegExp(y)"]);
  });
});

describe("a number of 256 KiB", () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService();
  });

  afterAll(() => service.close());

  const number = `1.${"0".repeat(256 * 1024 - 200)}1`;

  it("is rejected by the API", async () => {
    const { api_key } = await service.organization();
    const response = await fetch(`${service.url}/v1/campaigns`, {
      method: "POST",
      headers: { authorization: `Bearer ${api_key}`, "content-type": "application/json" },
      body: `{"commission_amount":${number}}`,
    });
    const { status, headers } = response;
    const error = responseError("rest", { status, headers, body: await response.json() });
    expect(error.issues).toEqual([{ path: "", message: "A number has more than 17 digits." }]);
  });

  it("takes linear time", () => {
    const short = number.slice(0, number.length / 16);
    // A quadratic scan takes 256 times as long for 16 times the digits; other processes disturb less than
    // that.
    expect(leastCpuTime(`[${number}]`) / leastCpuTime(`[${short}1]`)).toBeLessThan(64);
  });
});

/** The minimum CPU time to reject a text, in microseconds. */
function leastCpuTime(text: string): number {
  const times = Array.from({ length: 7 }, () => {
    const start = process.cpuUsage();
    for (let run = 0; run < 10; run++) expect(() => parseJson(text)).toThrow();
    const { user, system } = process.cpuUsage(start);
    return user + system;
  });
  return Math.min(...times);
}
