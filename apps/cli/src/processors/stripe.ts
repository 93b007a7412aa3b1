import { idInput } from "@findersfee/contract/fields";
import { findProcessor } from "@findersfee/database/processors/processors";
import { notFound } from "@findersfee/domain/errors";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig, requireSecretsKey } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { listenForShutdown } from "../service/shutdown.ts";
import { stripeDependencies } from "./stripe-dependencies.ts";

const MAX_DAYS = 30;
const days = z
  .string()
  .regex(/^([1-9]|[12][0-9]|30)$/, {
    error: `Must be a whole number from 1 to ${MAX_DAYS}: Stripe keeps events for that long.`,
  })
  .transform(Number);

export function addStripe(program: Command): void {
  const stripe = program.command("stripe").description("operations at Stripe");
  const command = stripe
    .command("reconcile")
    .description("read Stripe's events of the last days, and import missed events")
    .requiredOption("--org <id>", "the organization's id; its connection needs an API key")
    .option("--days <number>", `the number of days, at most ${MAX_DAYS}`, "3")
    .addHelpText(
      "after",
      `
The worker does this each night. An interrupted run can be continued within an hour.

Example:
  findersfee stripe reconcile --org <id> --days 7`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, days: count } = readOptions({ ...jsonOption, org: idInput, days }, raw);
    printOne(await reconcileOne(org, count), { json });
  });
}

async function reconcileOne(organization_id: string, count: number) {
  const config = readConfig();
  requireSecretsKey(config);
  const signal = listenForShutdown();
  const { reconcile } = await import("@findersfee/worker/processors/stripe/reconcile");
  return await withDatabase(config, async (database) => {
    const parts = await stripeDependencies(config, database);
    return await withOrganization(database, organization_id, async () => {
      const row = await findProcessor(database, organization_id, "stripe");
      if (row === null) throw notFound("Stripe connection for this organization");
      const { error, ...result } = await reconcile(parts, { row, days: count, signal });
      if (error !== null) throw new Error(`Failed to read Stripe's events: ${error}`);
      return result;
    });
  });
}
