/*
 * Compares what the packages depend on at run time with the registry's advisories. Exits with 1 if one of high or
 * critical severity applies. A registry that cannot be asked fails nothing: the line that says so is all there is.
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
  console.log(`Advisories: not checked, the registry could not be asked.\n${error?.message ?? output}`);
} else {
  console.log(output);
  console.log("Advisories: see CONTRIBUTING.md, Dependencies, for what to do.");
  process.exitCode = 1;
}
