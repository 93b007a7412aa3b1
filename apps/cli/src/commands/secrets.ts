import { examineKey, type KeyReport, repairKeyCheck } from "@findersfee/domain/webhooks/secrets-key";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printJson, printLine } from "../print.ts";
import { readSecretsKey } from "../secrets.ts";

const UNREADABLE = 1;

export function addSecrets(program: Command): void {
  const secrets = program.command("secrets").description("SECRETS_KEY and the secrets that it encrypts");
  addVerify(secrets);
  addRepair(secrets);
}

function addVerify(secrets: Command): void {
  const command = secrets
    .command("verify")
    .description("try SECRETS_KEY on the stored secrets, and name each that it does not open")
    .addHelpText(
      "after",
      `
It changes nothing, and may run beside the service. The exit code is 1 when a secret, or the check that a
process makes when it starts, cannot be opened.

Example:
  findersfee secrets verify --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const config = readConfig();
    const key = await readSecretsKey(config);
    const report = await withDatabase(config, (database) => examineKey(database, key));
    if (json) printJson(report);
    else {
      print(report);
      if (!report.opens_check) {
        printLine(
          "It does not open the check: processes with it refuse to start. See findersfee secrets repair.",
        );
      }
    }
    if (!report.opens_check || report.unreadable.length > 0) process.exitCode = UNREADABLE;
  });
}

function addRepair(secrets: Command): void {
  const command = secrets
    .command("repair")
    .description("write the check of SECRETS_KEY again, if the stored secrets prove that the key is right")
    .option("--minority", "also when the key opens fewer than half of the stored secrets")
    .addHelpText(
      "after",
      `
Processes refuse to start when the check in the table secrets_key_check does not open with SECRETS_KEY. If the
key is right, the check is damaged. This command writes it again, and refuses when no stored secret opens with
the key. It changes no secret.

Example:
  findersfee secrets repair`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, minority } = readOptions({ ...jsonOption, minority: z.boolean().default(false) }, raw);
    const config = readConfig();
    const key = await readSecretsKey(config);
    const report = await withDatabase(config, (database) => repairKeyCheck(database, key, { minority }));
    if (json) printJson(report);
    else {
      print(report);
      printLine("The check opens with it: processes start.");
    }
  });
}

function print({ tried, unreadable }: KeyReport): void {
  for (const { organization_id, endpoint_id, processor } of unreadable) {
    const owner =
      endpoint_id !== null
        ? `endpoint ${endpoint_id}`
        : processor !== null
          ? `processor ${processor}`
          : "sign-ups";
    printLine(`organization ${organization_id}, ${owner}: the secret cannot be opened`);
  }
  printLine(`SECRETS_KEY opens ${tried - unreadable.length} of ${tried} stored secrets.`);
}
