import { idInput } from "@findersfee/contract/fields";
import { expireEndpointSecretInput, rotateEndpointInput } from "@findersfee/contract/webhooks/endpoints";
import { expireEndpointSecret } from "@findersfee/domain/webhooks/endpoints/expire-secret";
import { rotateEndpoint } from "@findersfee/domain/webhooks/endpoints/rotate";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withEndpointOwner } from "../operator-context.ts";
import { jsonOption, readArgument, readOptions, withJson } from "../options.ts";
import { withPolicy } from "./endpoint-policy.ts";
import { printEndpoint } from "./print-endpoint.ts";

/** Adds the commands for an endpoint's signing secrets. */
export function addEndpointSecrets(endpoint: Command): void {
  addRotate(endpoint);
  addExpireSecret(endpoint);
}

function addRotate(endpoint: Command): void {
  const command = endpoint
    .command("rotate")
    .description("rotate an endpoint's signing secret")
    .argument("<id>", "the endpoint's id")
    .option("--overlap-seconds <number>", "how long the current secret stays valid", "86400")
    .addHelpText(
      "after",
      `
Every valid secret signs every delivery. Earlier secrets stay valid until they expire.

Examples:
  findersfee endpoint rotate <id>
  findersfee endpoint rotate <id> --overlap-seconds 0   # the current secret leaked`,
    );
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, overlapSeconds } = readOptions({ ...jsonOption, overlapSeconds: z.coerce.number() }, raw);
    const input = readOptions(rotateEndpointInput.shape, { id, overlap_seconds: overlapSeconds });
    const rotated = await withPolicy(readConfig(), (database, policy) =>
      withEndpointOwner(database, id, (context) => rotateEndpoint(context, policy, input)),
    );
    printEndpoint(rotated, { json });
  });
}

function addExpireSecret(endpoint: Command): void {
  const command = endpoint
    .command("expire-secret")
    .description("expire a previous signing secret now")
    .argument("<id>", "the endpoint's id")
    .requiredOption("--secret-id <id>", "the secret's id, as `endpoint show` lists it");
  withJson(command).action(async (rawId: unknown, raw: unknown) => {
    const id = readArgument("<id>", idInput, rawId);
    const { json, secretId } = readOptions({ ...jsonOption, secretId: idInput }, raw);
    const input = readOptions(expireEndpointSecretInput.shape, { id, secret_id: secretId });
    const endpoint = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, id, (context) => expireEndpointSecret(context, input)),
    );
    printEndpoint(endpoint, { json });
  });
}
