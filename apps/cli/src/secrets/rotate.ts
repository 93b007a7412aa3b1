import { rotateSecrets } from "@findersfee/domain/secrets/rotate";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printJson, printLine } from "../print.ts";
import { nameOfSecret } from "./name.ts";
import { readBothKeys, storeChangedKey } from "./read.ts";

const LEFT = 1;

export function addRotate(secrets: Command): void {
  const command = secrets
    .command("rotate")
    .description("encrypt the stored secrets with SECRETS_KEY instead of SECRETS_KEY_FORMER")
    .option("--finish", "at the end: processes start without SECRETS_KEY_FORMER from then on")
    .addHelpText(
      "after",
      `
Safe while the service runs, and after an interruption: run it again. In this order:
  1. Set SECRETS_KEY to the new key and SECRETS_KEY_FORMER to the old one, and restart every process.
  2. findersfee secrets rotate
  3. Restart every process again: from now on they encrypt with the new key.
  4. findersfee secrets rotate --finish
  5. Remove SECRETS_KEY_FORMER, and restart every process.
The exit code is 1 when secrets are left that need SECRETS_KEY_FORMER.

Example:
  findersfee secrets rotate --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, finish } = readOptions({ ...jsonOption, finish: z.boolean().default(false) }, raw);
    const config = readConfig();
    const keys = await readBothKeys(config);
    const report = await withDatabase(config, (database) => rotateSecrets(database, keys, { finish }));
    const file = report.is_finished ? await storeChangedKey(config, keys.former) : null;
    if (json) printJson(report);
    else {
      for (const secret of report.unreadable) printLine(`${nameOfSecret(secret)}: neither key decrypts it`);
      printLine(`${report.re_encrypted} secrets were encrypted with SECRETS_KEY.`);
      printLine(
        `${report.left} secrets still need SECRETS_KEY_FORMER, and neither key decrypts ${report.damaged}.`,
      );
      printLine(
        report.is_finished
          ? "Finished: remove SECRETS_KEY_FORMER, and restart every process."
          : "Processes need both keys. Restart every process, then run findersfee secrets rotate --finish.",
      );
      if (file !== null) printLine(`${file} has the new key.`);
    }
    if (report.left > 0) process.exitCode = LEFT;
  });
}
