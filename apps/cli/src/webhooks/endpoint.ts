import { idInput } from "@findersfee/contract/fields";
import {
  createEndpointInput,
  type Endpoint,
  updateEndpointInput,
} from "@findersfee/contract/webhooks/endpoints";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import type { Context } from "@findersfee/domain/context";
import { testEndpoint } from "@findersfee/domain/webhooks/deliveries/send-test";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { deleteEndpoint } from "@findersfee/domain/webhooks/endpoints/delete";
import { disableEndpoint } from "@findersfee/domain/webhooks/endpoints/disable";
import { enableEndpoint } from "@findersfee/domain/webhooks/endpoints/enable";
import { getEndpoint, getEndpointSecret } from "@findersfee/domain/webhooks/endpoints/get";
import { listEndpoints } from "@findersfee/domain/webhooks/endpoints/list";
import type { EndpointPolicy } from "@findersfee/domain/webhooks/endpoints/policy";
import { updateEndpoint } from "@findersfee/domain/webhooks/endpoints/update";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withEndpointOwner, withOrganization } from "../operator-context.ts";
import { eventTypeInput, jsonOption, readArgument, readOptions, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { collect, endpointOptionsShape, endpointSettings, withEndpointSettings } from "./endpoint-options.ts";
import { withPolicy } from "./endpoint-policy.ts";
import { addEndpointSecrets } from "./endpoint-secrets.ts";
import { printEndpoint, printEndpoints } from "./print-endpoint.ts";

export function addEndpoint(program: Command): void {
  const endpoint = program.command("endpoint").description("webhook endpoints");
  addCreate(endpoint);
  addList(endpoint);
  addUpdate(endpoint);
  addOnOne(endpoint, "show", "show an endpoint with its secret", async (context, { id, policy }) => ({
    ...(await getEndpoint(context, id)),
    ...(await getEndpointSecret(context, policy, id)),
  }));
  addOnOne(endpoint, "disable", "stop sending to an endpoint", (context, { id }) =>
    disableEndpoint(context, id),
  );
  addEnable(endpoint);
  addEndpointSecrets(endpoint);
  addTest(endpoint);
  addOnOne(endpoint, "delete", "delete an endpoint", (context, { id }) => deleteEndpoint(context, id));
}

function addCreate(endpoint: Command): void {
  const command = withEndpointSettings(
    endpoint
      .command("create")
      .description("create a webhook endpoint; it receives events from now on")
      .requiredOption("--org <id>", "the organization that owns the endpoint")
      .requiredOption("--url <url>", "the https URL that receives events"),
  ).addHelpText(
    "after",
    `
Event types: ${eventTypes.join(", ")}.
The receiver verifies deliveries with the secret.

Examples:
  findersfee endpoint create --org <id> --url https://example.com/webhooks
  findersfee endpoint create --org <id> --url https://example.com/webhooks --events commission.created --json`,
  );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, ...options } = readOptions(
      { ...jsonOption, ...endpointOptionsShape, org: idInput },
      raw,
    );
    const input = readOptions(createEndpointInput.shape, endpointSettings(options));
    const { id, ...created } = await withPolicy(readConfig(), (database, policy) =>
      withOrganization(database, org, (context) => createEndpoint(context, policy, input)),
    );
    printEndpoint({ endpoint_id: id, ...created }, { json });
  });
}

function addList(endpoint: Command): void {
  const command = endpoint
    .command("list")
    .description("list an organization's endpoints, newest first")
    .requiredOption("--org <id>", "the organization");
  withJson(command).action(async (raw: unknown) => {
    const { json, org } = readOptions({ ...jsonOption, org: idInput }, raw);
    const endpoints = await withDatabase(readConfig(), (database) =>
      withOrganization(database, org, listEndpoints),
    );
    printEndpoints(endpoints, { json });
  });
}

function addUpdate(endpoint: Command): void {
  const command = withEndpointSettings(
    endpoint
      .command("update")
      .description("change an endpoint")
      .argument("<id>", "the endpoint's id")
      .option("--url <url>", "the URL that receives events"),
  ).option("--remove-header <name>", "a custom header to remove; may be repeated", collect);
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, ...options } = readOptions({ ...jsonOption, ...endpointOptionsShape }, raw);
    const input = readOptions(updateEndpointInput.shape, { id, ...endpointSettings(options) });
    const updated = await withPolicy(readConfig(), (database, policy) =>
      withEndpointOwner(database, id, (context) => updateEndpoint(context, policy, input)),
    );
    printEndpoint(updated, { json });
  });
}

function addEnable(endpoint: Command): void {
  const command = endpoint
    .command("enable")
    .description("enable a disabled endpoint")
    .argument("<id>", "the endpoint's id")
    .option("--replay", "also deliver events missed while it was disabled or failing", false);
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, replay } = readOptions({ ...jsonOption, replay: z.boolean() }, raw);
    const input = { id, replay_missed: replay };
    const enabled = await withPolicy(readConfig(), (database, policy) =>
      withEndpointOwner(database, id, (context) => enableEndpoint(context, input, policy)),
    );
    printEndpoint(enabled, { json });
  });
}

function addTest(endpoint: Command): void {
  const command = endpoint
    .command("test")
    .description("send an event with example data to an endpoint")
    .argument("<id>", "the endpoint's id")
    .option("--type <type>", `${eventTypes.join(", ")}; default: a type that the endpoint subscribes to`);
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, type } = readOptions({ ...jsonOption, type: eventTypeInput.optional() }, raw);
    const delivery = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, id, (context) => testEndpoint(context, { id, type })),
    );
    printOne(delivery, { json });
  });
}

/** Adds a command with an endpoint's id as its only argument. */
function addOnOne(
  endpoint: Command,
  name: string,
  description: string,
  work: (context: Context, on: { id: string; policy: EndpointPolicy }) => Promise<Endpoint>,
): void {
  const command = endpoint.command(name).description(description).argument("<id>", "the endpoint's id");
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json } = readOptions(jsonOption, raw);
    const result = await withPolicy(readConfig(), (database, policy) =>
      withEndpointOwner(database, id, (context) => work(context, { id, policy })),
    );
    printEndpoint(result, { json });
  });
}
