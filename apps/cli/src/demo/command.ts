import type { Command } from "commander";
import { z } from "zod";
import { readConfig, readDeveloperConfig } from "../config.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { listenForShutdown } from "../service/shutdown.ts";
import { localService, SERVICE_ADDRESS, serviceAddress } from "../webhooks/listen/addresses.ts";
import { demonstrate } from "./demonstrate.ts";

const shape = {
  ...jsonOption,
  baseUrl: serviceAddress(`Must be ${SERVICE_ADDRESS}.`).optional(),
  timeout: z
    .string()
    .regex(/^[1-9][0-9]{0,3}$/, { error: "Must be a whole number of seconds from 1 to 9999." })
    .transform(Number),
};

export function addDemo(program: Command): void {
  const command = program
    .command("demo")
    .description("demonstrate a running service: click, checkout, payments, refund, dispute, webhooks")
    .option(
      "--base-url <url>",
      "the service's address (FINDERSFEE_URL); default: this machine, at HOST and PORT",
    )
    .option("--timeout <seconds>", "how long to wait for each result", "30")
    .addHelpText(
      "after",
      `
Each run creates its own organization in the service's database, and then uses only HTTP: as the organization's
programs and admins, as a visitor, and as Stripe, with signed events in test mode. Its webhooks go to a receiver
on this machine. \`findersfee start\` without DATABASE_URL allows that; otherwise set WEBHOOK_ALLOW_HTTP=true and
WEBHOOK_ALLOW_PRIVATE=true for the service. With --json each step is a line of JSON. The exit code is 0 only if
all amounts are as expected.

Examples:
  findersfee demo
  PORT=8080 findersfee demo
  findersfee demo --base-url http://127.0.0.1:8080 --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { baseUrl, timeout, json } = readOptions(shape, raw);
    const config = readConfig();
    await demonstrate(config, {
      base_url: baseUrl ?? readDeveloperConfig().FINDERSFEE_URL ?? localService(config),
      timeout_seconds: timeout,
      json,
      signal: listenForShutdown(),
    });
  });
}
