/*
 * Compares the run-time dependencies with the registry's advisories. Exits with 1 if an advisory of high or
 * critical severity applies. Without an answer of the registry it fails where ADVISORIES=required; elsewhere its last line says so.
 */
import { spawnSync } from "node:child_process";

const TIMEOUT_MILLISECONDS = 120_000;

const { status, stdout, stderr, error } = spawnSync("pnpm", ["audit", "--prod", "--audit-level", "high"], {
  encoding: "utf8",
  timeout: TIMEOUT_MILLISECONDS,
  shell: process.platform === "win32",
});
const output = `${stdout ?? ""}${stderr ?? ""}`.trim();

if (status === 0) {
  console.log("Advisories: none of high or critical severity applies.");
} else if (error !== undefined || output.includes("ERR_PNPM_AUDIT_BAD_RESPONSE")) {
  console.log(`${error?.message ?? output}\nAdvisories: not checked, the registry is unreachable.`);
  if (process.env.ADVISORIES === "required") process.exitCode = 1;
} else {
  console.log(output);
  console.log("Advisories: see docs/contributing/dependencies.md for the next steps.");
  process.exitCode = 1;
}
