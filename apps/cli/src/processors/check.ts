import { idInput } from "@findersfee/contract/fields";
import type { Processor } from "@findersfee/contract/processors/processors";
import type { Database } from "@findersfee/database/postgres/connect";
import { findProcessor } from "@findersfee/database/processors/processors";
import { notFound } from "@findersfee/domain/errors";
import type { Command } from "commander";
import { withDatabase } from "../command-database.ts";
import { type Config, readConfig, requireSecretsKey } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { syncStripeEndpoint } from "./endpoint.ts";
import { stripeDependencies } from "./stripe-dependencies.ts";

type EventsCheck = Pick<Processor, "missing_events" | "events_check_error" | "events_checked_at">;

/** Adds `processor check`. */
export function addCheck(processor: Command): void {
  const command = processor
    .command("check")
    .description("check the webhook endpoint at Stripe for the required event types")
    .requiredOption("--org <id>", "the organization's id; its connection needs an API key")
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

/** The required event types that the webhook endpoint at Stripe does not enable. Errors: `not_found`. */
export async function checkStripeEvents(
  config: Config,
  { database, org }: { database: Database; org: string },
): Promise<EventsCheck> {
  const row = await findProcessor(database, org, "stripe");
  if (row === null) throw notFound("Stripe connection for this organization");
  if (row.endpoint_state !== null) {
    const { missing_events, events_check_error, events_checked_at } = await syncStripeEndpoint(config, {
      database,
      org,
    });
    return { missing_events, events_check_error, events_checked_at };
  }
  const { checkEvents } = await import("@findersfee/worker/processors/stripe/check-events");
  const { events_checked_at, ...check } = await checkEvents(await stripeDependencies(config, database), row);
  return { ...check, events_checked_at: events_checked_at?.toISOString() ?? null };
}
