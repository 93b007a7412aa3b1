import { idInput } from "@findersfee/contract/fields";
import type { Processor } from "@findersfee/contract/processors";
import type { Database } from "@findersfee/database/connect";
import { findProcessor } from "@findersfee/database/processors";
import { notFound } from "@findersfee/domain/errors";
import type { Command } from "commander";
import { withDatabase } from "../command-database.ts";
import { type Config, readConfig, requireSecretsKey } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { stripeParts } from "../stripe-parts.ts";

type EventsCheck = Pick<Processor, "missing_events" | "events_check_error" | "events_checked_at">;

/** Adds `processor check`. */
export function addCheck(processor: Command): void {
  const command = processor
    .command("check")
    .description("compare the webhook endpoint at Stripe with the required event types")
    .requiredOption("--org <id>", "the organization; its connection needs an API key")
    .addHelpText(
      "after",
      `
The worker does this each night and when a key is connected; \`processor list\` shows the last result. The key needs the
permission to read Webhook Endpoints.

Example:
  findersfee processor check --org <id>`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org } = readOptions({ ...jsonOption, org: idInput }, raw);
    const config = readConfig();
    requireSecretsKey(config);
    const check = await withDatabase(config, (database) =>
      withOrganization(database, org, () => checkStripeEvents(config, { database, org })),
    );
    printOne({ ...check }, { json });
  });
}

/** Which event types the webhook endpoint at Stripe lacks. Errors: `not_found`. */
export async function checkStripeEvents(
  config: Config,
  { database, org }: { database: Database; org: string },
): Promise<EventsCheck> {
  const row = await findProcessor(database, org, "stripe");
  if (row === null) throw notFound("connection to Stripe of an organization");
  const { checkEvents } = await import("@findersfee/worker/processors/check-events");
  const { events_checked_at, ...check } = await checkEvents(await stripeParts(config, database), row);
  return { ...check, events_checked_at: events_checked_at?.toISOString() ?? null };
}
