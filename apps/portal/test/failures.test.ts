import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ERRORS, type ErrorCode } from "@findersfee/contract/errors";
import { expect, it } from "vitest";
import { failures } from "../src/texts/de/failures.ts";

const ROOT = join(import.meta.dirname, "../../..");

/** The code of requests from the portal. */
const FOLDERS = ["apps/api/src/portal", "packages/domain/src/portal"];

/** Errors before and around it. */
const AROUND: readonly ErrorCode[] = ["forbidden_origin", "session_expired", "invalid_request", "not_found"];

/** Errors that the page has better words for by their status. */
const BY_STATUS = new Set([429, 500, 503]);

function codesOf(folder: string): ErrorCode[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) => [
      ...readFileSync(join(ROOT, folder, name), "utf8").matchAll(/DomainError\(\s*"(?<code>[a-z_]+)"/g),
    ])
    .map(({ groups }) => groups?.code as ErrorCode);
}

const codes = [...new Set([...AROUND, ...FOLDERS.flatMap(codesOf)])].filter(
  (code) => !BY_STATUS.has(ERRORS[code].status),
);

it("finds the errors of the portal", () => {
  expect(codes).toEqual(expect.arrayContaining(["claim_exists", "affiliate_not_active", "code_invalid"]));
});

it.each(codes)("has a German text for %s", (code) => {
  expect(failures.codes[code]).toBeTypeOf("string");
});
