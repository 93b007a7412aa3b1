import { idInput } from "@findersfee/contract/fields";
import { eraseAffiliate } from "@findersfee/domain/erasure/affiliate";
import { eraseMembers } from "@findersfee/domain/erasure/members";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "./command-database.ts";
import { readConfig } from "./config.ts";
import { withOrganization } from "./operator-context.ts";
import { jsonOption, readArgument, readOptions, UsageError, withJson } from "./options.ts";
import { printOne } from "./print.ts";
import { openSecretsKey } from "./secrets/read.ts";

const ORGANIZATION = ["--org <id>", "the organization"] as const;
const CONFIRM = ["--yes", "confirm: erased data cannot be restored"] as const;
const shape = { ...jsonOption, org: idInput, yes: z.boolean().default(false) };

export function addErase(program: Command): void {
  const erase = program.command("erase").description("erase personal data; ids and amounts stay");
  addAffiliate(erase);
  addMembers(erase);
}

function addAffiliate(erase: Command): void {
  const command = erase
    .command("affiliate")
    .description("erase an affiliate's profile, codes and audit log entries, and ban it")
    .argument("<id>", "the affiliate's id")
    .requiredOption(...ORGANIZATION)
    .option(...CONFIRM)
    .addHelpText(
      "after",
      `
The affiliate must have no balance. Its commissions and payouts stay; payouts keep the name and address they were
sent to. Events, delivery logs and stored responses expire on their own.

Example:
  findersfee erase affiliate <id> --org <organization id> --yes`,
    );
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, org, yes } = readOptions(shape, raw);
    requireConfirmed(yes);
    const config = readConfig();
    const erased = await withDatabase(config, async (database) => {
      const secrets_key = await openSecretsKey(config, database);
      return await withOrganization(database, org, (context) => eraseAffiliate(context, id), secrets_key);
    });
    printOne({ id: erased.id, email: erased.email, banned: erased.banned }, { json });
  });
}

function addMembers(erase: Command): void {
  const command = erase
    .command("members")
    .description("erase members' email addresses from an organization's audit log")
    .requiredOption(...ORGANIZATION)
    .option(...CONFIRM)
    .addHelpText(
      "after",
      `
The users themselves stay.

Example:
  findersfee erase members --org <organization id> --yes`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, yes } = readOptions(shape, raw);
    requireConfirmed(yes);
    const entries = await withDatabase(readConfig(), (database) =>
      withOrganization(database, org, (context) => eraseMembers(context)),
    );
    printOne({ organization_id: org, entries }, { json });
  });
}

function requireConfirmed(yes: boolean): void {
  if (!yes) throw new UsageError("Add --yes: erased data cannot be restored.");
}
