import type { Command } from "commander";
import { z } from "zod";
import { jsonOption, readArgument, readOptions, withJson } from "../options.ts";
import { printJson, printLine } from "../print.ts";
import { type CheckResult, checkPage } from "./check-page.ts";

const FOUND_PROBLEM = 1;

const webAddress = z
  .string()
  .max(2_048)
  .transform((text) => (/^[a-z][a-z0-9+.-]*:/i.test(text) ? text : `https://${text}`))
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol), {
    error: "Must be the address of a page, as in https://example.com/pricing.",
  })
  .transform((text) => new URL(text).href);

/** Adds `track`, with its subcommand `test`. */
export function addTrack(program: Command): void {
  const track = program.command("track").description("tracking on the organization's pages");
  const command = track
    .command("test")
    .description("check whether tracking works on a live page")
    .argument("<url>", "the page's address")
    .addHelpText(
      "after",
      `
Reads the page, its script and its Content-Security-Policy, and sends a click with a code that nobody has: nothing is
counted. It needs no database, and does not run the page's scripts. The exit code is 1 if something must be mended.

Example:
  findersfee track test https://example.com/pricing`,
    );
  withJson(command).action(async (raw_url: unknown, raw: unknown) => {
    const url = readArgument("<url>", webAddress, raw_url);
    const { json } = readOptions(jsonOption, raw);
    const results = await checkPage(url);
    if (json) printJson(results);
    else for (const result of results) printLine(lineOf(result));
    if (results.some(({ state }) => state === "error")) process.exitCode = FOUND_PROBLEM;
  });
}

const WIDTHS = { state: "warning".length, check: "first-party".length };

function lineOf({ check, state, message, to_do }: CheckResult): string {
  const start = `${state.padEnd(WIDTHS.state)}  ${check.padEnd(WIDTHS.check)}`;
  return `${start}  ${message}${to_do === null ? "" : ` ${to_do}`}`;
}
