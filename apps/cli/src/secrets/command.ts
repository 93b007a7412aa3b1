import { examineKey, type KeyReport, repairKeyCheck } from "@findersfee/domain/secrets/key";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printJson, printLine } from "../print.ts";
import { addAbandon } from "./abandon.ts";
import { readSecretsKey } from "./read.ts";
import { addRotate } from "./rotate.ts";

const UNREADABLE = 1;

export function addSecrets(program: Command): void {
  const secrets = program
    .command("secrets")
    .description("check or change SECRETS_KEY, and the secrets that it encrypts");
  addVerify(secrets);
  addRepair(secrets);
  addRotate(secrets);
  addAbandon(secrets);
}

function addVerify(secrets: Command): void {
  const command = secrets
    .command("verify")
    .description("decrypt the stored secrets with SECRETS_KEY, and list each failure")
    .addHelpText(
      "after",
      `
Read-only; safe while the service runs. The exit code is 1 when a secret, or the check value
that processes verify at startup, cannot be decrypted.

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
          "SECRETS_KEY does not decrypt the check value, so processes refuse to start. See findersfee secrets repair.",
        );
      }
    }
    if (!report.opens_check || report.unreadable.length > 0) process.exitCode = UNREADABLE;
  });
}

function addRepair(secrets: Command): void {
  const command = secrets
    .command("repair")
    .description("rewrite the check value of SECRETS_KEY if the stored secrets prove that the key is right")
    .option("--minority", "even if the key decrypts fewer than half of the stored secrets")
    .addHelpText(
      "after",
      `
Processes refuse to start when SECRETS_KEY does not decrypt the check value in the table secrets_key_check. If the
key is right, the check value is damaged. This command rewrites it, unless the key decrypts no stored secret. It
changes no secret.

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
      printLine("The check value decrypts: processes start with this key.");
    }
  });
}

function print({ tried, unreadable }: KeyReport): void {
  for (const owner of unreadable) printLine(`${nameOf(owner)}: the secret cannot be decrypted`);
  printLine(`SECRETS_KEY decrypts ${tried - unreadable.length} of ${tried} stored secrets.`);
}

function nameOf({
  user_id,
  organization_id,
  endpoint_id,
  processor,
  is_provider,
}: KeyReport["unreadable"][number]): string {
  if (user_id !== null) return `user ${user_id}, authenticator app`;
  if (endpoint_id !== null) return `organization ${organization_id}, endpoint ${endpoint_id}`;
  if (is_provider) return `organization ${organization_id}, single sign-on`;
  return `organization ${organization_id}, ${processor === null ? "sign-ups" : `processor ${processor}`}`;
}
