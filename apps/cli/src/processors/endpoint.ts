import { setTimeout as delay } from "node:timers/promises";
import { idInput } from "@findersfee/contract/fields";
import type { ConnectStripe, Processor } from "@findersfee/contract/processors/processors";
import type { Database } from "@findersfee/database/postgres/connect";
import { notFound } from "@findersfee/domain/errors";
import { connectStripe } from "@findersfee/domain/processors/connections/connect-stripe";
import { listProcessors } from "@findersfee/domain/processors/connections/get";
import { repairStripe } from "@findersfee/domain/processors/connections/repair-stripe";
import type { Command } from "commander";
import { withDatabase } from "../command-database.ts";
import { type Config, readConfig, requireSecretsKey } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readOptions, UsageError, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { openSecretsKey } from "../secrets/read.ts";
import { stripeDependencies } from "./stripe-dependencies.ts";

/** Attempts, a second apart: a worker may be doing the same, or Stripe does not answer. */
const ATTEMPTS = 5;
const APART_MILLISECONDS = 1_000;

interface Place {
  database: Database;
  org: string;
}

/** Throws unless a key is of Stripe's test mode. */
export function requireTestKey(api_key: string): void {
  if (!api_key.includes("_test_")) throw new UsageError("--test-mode: The key is a live key.");
}

/** Connects Stripe by a key, and creates the webhook endpoint there. Throws Stripe's reason if it did not. */
export async function connectByKey(org: string, input: ConnectStripe): Promise<Processor> {
  const config = readConfig();
  requireSecretsKey(config);
  return await withDatabase(config, async (database) => {
    const secrets_key = await openSecretsKey(config, database);
    const connecting = { secrets_key, public_url: config.PUBLIC_URL };
    await withOrganization(database, org, (context) => connectStripe(context, connecting, input));
    return requireActive(await syncStripeEndpoint(config, { database, org }));
  });
}

/** Adds `processor repair`. */
export function addRepair(processor: Command): void {
  const command = processor
    .command("repair")
    .description("repair the webhook endpoint that was created at Stripe with a key")
    .requiredOption("--org <id>", "the organization's id")
    .addHelpText(
      "after",
      `
Enables the endpoint, and gives it the address of this service and all required event types. An endpoint that someone
deleted is created again.

Example:
  findersfee processor repair --org <id>`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org } = readOptions({ ...jsonOption, org: idInput }, raw);
    const config = readConfig();
    requireSecretsKey(config);
    const repaired = await withDatabase(config, async (database) => {
      await withOrganization(database, org, repairStripe);
      return requireActive(await syncStripeEndpoint(config, { database, org }));
    });
    printOne({ ...repaired }, { json });
  });
}

/** Creates, repairs or checks the endpoint, and returns the connection. Errors: `not_found`. */
export async function syncStripeEndpoint(config: Config, place: Place): Promise<Processor> {
  const found = await syncRepeatedly(config, place);
  if (found === null) throw notFound("Stripe connection for this organization");
  return found;
}

/** Deletes the endpoint of a connection that was disconnected. Throws the reason if it is still there. */
export async function deleteStripeEndpoint(config: Config, place: Place): Promise<void> {
  const left = await syncRepeatedly(config, place);
  if (left === null) return;
  throw new Error(
    `The endpoint ${left.endpoint_id ?? ""} at Stripe could not be deleted: ${left.endpoint_error ?? "Stripe did not answer."} Its messages are rejected. Try again, or disconnect with --leave-endpoint and delete it at Stripe.`,
  );
}

/** The connection afterwards; null: there is none. */
async function syncRepeatedly(config: Config, { database, org }: Place): Promise<Processor | null> {
  const { syncEndpoint } = await import("@findersfee/worker/processors/stripe/sync-endpoint");
  const dependencies = await stripeDependencies(config, database);
  for (let attempt = 1; ; attempt++) {
    const again = await syncEndpoint(dependencies, org);
    const found = await findStripe(database, org);
    if (attempt === ATTEMPTS || !(again || found?.endpoint_state === "creating")) return found;
    await delay(APART_MILLISECONDS);
  }
}

async function findStripe(database: Database, org: string): Promise<Processor | null> {
  const listed = await withOrganization(database, org, listProcessors);
  return listed.find(({ name }) => name === "stripe") ?? null;
}

function requireActive(item: Processor): Processor {
  if (item.endpoint_state === "active") return item;
  throw new Error(
    `The endpoint at Stripe could not be created: ${item.endpoint_error ?? "Stripe did not answer."} Then run findersfee processor repair.`,
  );
}
