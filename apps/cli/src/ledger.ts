import { idInput } from "@findersfee/contract/fields";
import type { DeliveryFinding } from "@findersfee/database/webhooks/delivery-checks";
import { type CheckedRule, isDamaged, verifyLedger } from "@findersfee/domain/ledger/verify";
import { type BrokenTotal, verifyTotals } from "@findersfee/domain/reports/totals/verify";
import { verifyDeliveries } from "@findersfee/domain/webhooks/deliveries/verify";
import type { Command } from "commander";
import { z } from "zod";
import { withReadDatabase } from "./command-database.ts";
import { readConfig } from "./config.ts";
import { addContinuity } from "./continuity.ts";
import { jsonOption, readOptions, withJson } from "./options.ts";
import { printJson, printLine } from "./print.ts";

const DAMAGED = 1;

export function addVerify(program: Command): void {
  const verify = program.command("verify").description("verify stored data");
  addLedger(verify);
  addDeliveries(verify);
  addTotals(verify);
  addContinuity(verify);
}

function addLedger(verify: Command): void {
  const command = verify
    .command("ledger")
    .description(
      "check that commissions, entries, balances and payouts add up, and list each row that does not",
    )
    .option("--org <id>", "only this organization; default: all")
    .option("--all", "list every broken row, not only the first 20 of each rule")
    .addHelpText(
      "after",
      `
Read-only; safe while the service runs. The exit code is 1 when data is damaged, and 0 when there
are only warnings. Amounts are in minor units.

Examples:
  findersfee verify ledger
  findersfee verify ledger --org 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, all } = readOptions(
      { ...jsonOption, org: idInput.optional(), all: z.boolean().default(false) },
      raw,
    );
    const checked = await withReadDatabase(readConfig(), (database) =>
      verifyLedger(database, org ?? null, all ? { named: null } : {}),
    );
    if (json) printJson(checked);
    else print(checked);
    if (isDamaged(checked)) process.exitCode = DAMAGED;
  });
}

function print(checked: readonly CheckedRule[]): void {
  const broken = checked.filter(({ found }) => found > 0);
  for (const { name, rule, level, found, rows } of broken) {
    printLine(`${level}: ${name} (${found}): ${rule}`);
    for (const { organization_id, subject, finding } of rows) {
      printLine(`  organization ${organization_id}, ${subject}: ${finding}`);
    }
    if (found > rows.length) printLine(`  and ${found - rows.length} more`);
  }
  const damaged = broken.filter(({ level }) => level === "damage").length;
  const holding = `${checked.length - broken.length} of ${checked.length} rules hold.`;
  printLine(damaged === 0 ? `The ledger adds up: ${holding}` : `The ledger is damaged: ${holding}`);
}

function addDeliveries(verify: Command): void {
  const command = verify
    .command("deliveries")
    .description("list every webhook delivery and every shard that is stuck")
    .addHelpText(
      "after",
      `
Read-only; safe while the service runs. The exit code is 1 when something is stuck.

Example:
  findersfee verify deliveries --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const findings = await withReadDatabase(readConfig(), (database) => verifyDeliveries(database));
    if (json) printJson(findings);
    else printFindings(findings);
    if (findings.length > 0) process.exitCode = DAMAGED;
  });
}

function printFindings(findings: readonly DeliveryFinding[]): void {
  for (const { organization_id, subject, finding } of findings) {
    printLine(`${organization_id === null ? "" : `organization ${organization_id}, `}${subject}: ${finding}`);
  }
  printLine(findings.length === 0 ? "Nothing is stuck." : `${findings.length} findings.`);
}

/** The rows to name for each organization, unless all are asked for. */
const NAMED = 20;

function addTotals(verify: Command): void {
  const command = verify
    .command("totals")
    .description("compare the totals of the dashboard's overview with the rows that they sum up")
    .option("--org <id>", "only this organization; default: all")
    .option("--all", `list every wrong total, not only the first ${NAMED} of each organization`)
    .addHelpText(
      "after",
      `
Read-only; safe while the service runs. It reads every row once. The exit code is 1 when a total is
wrong; \`findersfee totals rebuild\` repairs it. Amounts are in minor units; XXX stands for totals
without a currency.

Example:
  findersfee verify totals --org 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, all } = readOptions(
      { ...jsonOption, org: idInput.optional(), all: z.boolean().default(false) },
      raw,
    );
    const limit = all ? null : NAMED;
    const broken = await withReadDatabase(readConfig(), (database) =>
      verifyTotals(database, org ?? null, { limit }),
    );
    if (json) printJson(broken);
    else printBroken(broken);
    if (broken.length > 0) process.exitCode = DAMAGED;
  });
}

function printBroken(broken: readonly BrokenTotal[]): void {
  for (const { organization_id, subject, finding } of broken) {
    printLine(`organization ${organization_id}, ${subject}: ${finding} too much`);
  }
  printLine(broken.length === 0 ? "The totals are the sums of their rows." : "Some totals are wrong.");
}
