import { type AbandonedSecret, abandonSecrets } from "@findersfee/domain/abandon-secrets";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printJson, printLine } from "../print.ts";
import { nameOfSecret } from "./name.ts";
import { readSecretsKey } from "./read.ts";

/** The next step after the removal of each secret. */
const TO_DO: Record<AbandonedSecret["place"], string> = {
  endpoint_secret: "has a new secret and is disabled: give its receiver the secret, then enable it",
  endpoint_headers: "are removed and it is disabled: set them again, then enable it",
  processor_secret: "messages are refused: connect the processor again",
  former_processor_secret: "is removed",
  processor_api_key: "is removed: connect the processor again",
  signup_secret: "is removed: create a new one",
  former_signup_secret: "is removed",
  sign_in_provider: "is removed, and members may sign in without it: set it again",
  second_factor: "is removed with its recovery codes: the person must set it up again",
};

export function addAbandon(secrets: Command): void {
  const command = secrets
    .command("abandon")
    .description("for a lost key: list the secrets that SECRETS_KEY does not decrypt, or remove them")
    .option("--yes", "remove them, and bind the database to SECRETS_KEY")
    .addHelpText(
      "after",
      `
Without --yes it changes nothing. Set SECRETS_KEY to a new key, or to the one that is left, and stop
the service before --yes: what it removes cannot be read again, not even with the lost key. Commissions,
balances, payouts and events are not encrypted and stay. After an interruption, run it again.

Examples:
  findersfee secrets abandon
  findersfee secrets abandon --yes --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, yes } = readOptions({ ...jsonOption, yes: z.boolean().default(false) }, raw);
    const config = readConfig();
    const key = await readSecretsKey(config);
    let found = 0;
    await withDatabase(config, async (database) => {
      for await (const secret of abandonSecrets(database, key, { remove: yes })) {
        found += 1;
        const to_do = TO_DO[secret.place];
        if (json) printJson({ ...secret, to_do }, { indented: false });
        else printLine(`${nameOfSecret(secret)}: ${yes ? to_do : "cannot be decrypted"}`);
      }
    });
    if (json) return;
    if (yes) printLine(`${found} secrets were removed. Processes start with this key.`);
    else
      printLine(
        `SECRETS_KEY does not decrypt ${found} secrets. Add --yes to remove them. Nothing was changed.`,
      );
  });
}
