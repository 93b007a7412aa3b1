import { idInput } from "@findersfee/contract/fields";
import {
  connectProcessorInput,
  connectStripeInput,
  processorNames,
  rotateProcessorInput,
  updateProcessorInput,
} from "@findersfee/contract/processors/processors";
import type { Context } from "@findersfee/domain/context";
import { connectProcessor } from "@findersfee/domain/processors/connections/connect";
import { disconnectProcessor } from "@findersfee/domain/processors/connections/disconnect";
import { listProcessors } from "@findersfee/domain/processors/connections/get";
import { rotateProcessor } from "@findersfee/domain/processors/connections/rotate";
import { updateProcessor } from "@findersfee/domain/processors/connections/update";
import type { SecretsKey } from "@findersfee/domain/secrets/secrets";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig, requireSecretsKey } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { commaList, jsonOption, readArgument, readOptions, UsageError, withJson } from "../options.ts";
import { printList, printOne } from "../print.ts";
import { readSecretOption } from "../secrets/option.ts";
import { openSecretsKey } from "../secrets/read.ts";
import { addCheck, checkStripeEvents } from "./check.ts";
import { addRepair, connectByKey, deleteStripeEndpoint, requireTestKey } from "./endpoint.ts";
import { addMessages, addRerun } from "./messages.ts";
import { addWaiting } from "./waiting.ts";

const ORG = ["--org <id>", "the organization"] as const;
const CONNECTED_ACCOUNTS = [
  "--connected-accounts <ids>",
  "Stripe Connect accounts to accept events from, as in acct_1,acct_2",
] as const;
const nameInput = z.enum(processorNames, { error: `Must be ${processorNames.join(" or ")}.` });
const file = z.string().optional();
const secretOptions = { signingSecret: file, signingSecretFile: file };
const keyOptions = { apiKey: file, apiKeyFile: file };

export function addProcessor(program: Command): void {
  const processor = program
    .command("processor")
    .description("connect payment processors and inspect their inbound webhooks");
  addConnect(processor);
  addList(processor);
  addUpdate(processor);
  addRotate(processor);
  addDisconnect(processor);
  addMessages(processor);
  addRerun(processor);
  addWaiting(processor);
  addCheck(processor);
  addRepair(processor);
}

function addConnect(processor: Command): void {
  const command = withSecret(
    withApiKey(
      processor
        .command("connect")
        .description("connect a payment processor")
        .argument("<processor>", processorNames.join(" or "))
        .requiredOption(...ORG)
        .option("--test-mode", "Stripe's test mode: live events are skipped", false)
        .option(...CONNECTED_ACCOUNTS),
    ),
  ).addHelpText(
    "after",
    `
A restricted key alone connects Stripe: the command creates the webhook endpoint at Stripe, in the mode of the key, and
\`missing_rights\` lists the permissions that the key lacks. PUBLIC_URL must be an https address that Stripe can reach.

Otherwise, configure the processor to send its webhooks to PUBLIC_URL followed by the printed path. Stripe shows the signing
secret of a webhook endpoint when you create it there; for the generic processor the command generates item. The
API key is a restricted key of Stripe (docs/processors.md lists its permissions). With it, \`missing_events\` lists
the event types that your webhook endpoint at Stripe does not enable yet.

Examples:
  findersfee processor connect stripe --org <id> --api-key-file - < key.txt
  findersfee processor connect stripe --org <id> --signing-secret-file - < secret.txt
  findersfee processor connect stripe --org <id> --signing-secret whsec_… --api-key rk_test_… --test-mode
  findersfee processor connect stripe --org <id> --signing-secret-file secret.txt --connected-accounts acct_1,acct_2
  findersfee processor connect generic --org <id> --json`,
  );
  withJson(command).action(async (rawName: unknown, raw: unknown) => {
    const name = readArgument("<processor>", nameInput, rawName);
    const shape = {
      ...jsonOption,
      ...secretOptions,
      ...keyOptions,
      org: idInput,
      testMode: z.boolean(),
      connectedAccounts: commaList.optional(),
    };
    const { json, org, testMode, connectedAccounts, ...secrets } = readOptions(shape, raw);
    const signing_secret = signingSecretOf(secrets);
    const api_key = apiKeyOf(secrets);
    if (name === "stripe" && signing_secret === undefined && api_key !== undefined) {
      const input = readOptions(connectStripeInput.shape, {
        api_key,
        connected_accounts: connectedAccounts,
      });
      if (testMode) requireTestKey(input.api_key);
      printOne({ ...(await connectByKey(org, input)) }, { json });
      return;
    }
    const input = readOptions(connectProcessorInput.shape, {
      name,
      connected_accounts: connectedAccounts,
      signing_secret,
      api_key,
      livemode: !testMode,
    });
    const connected = await withSecretsKey(org, async (context, key) => {
      const connected = await connectProcessor(context, key, input);
      if (input.api_key === null) return connected;
      const { database } = context;
      return { ...connected, ...(await checkStripeEvents(readConfig(), { database, org })) };
    });
    printOne({ ...connected }, { json });
  });
}

function addList(processor: Command): void {
  const command = processor
    .command("list")
    .description("list an organization's payment processors")
    .requiredOption(...ORG);
  withJson(command).action(async (raw: unknown) => {
    const { json, org } = readOptions({ ...jsonOption, org: idInput }, raw);
    const processors = await withDatabase(readConfig(), (database) =>
      withOrganization(database, org, listProcessors),
    );
    printList(
      processors.map((item) => ({ ...item })),
      { json, none: "No payment processors connected." },
    );
  });
}

function addUpdate(processor: Command): void {
  const command = withApiKey(
    processor
      .command("update")
      .description("update a connection's API key, mode or connected accounts")
      .argument("<processor>", processorNames.join(" or "))
      .requiredOption(...ORG)
      .option("--no-api-key", "remove the API key")
      .option("--test-mode", "switch to Stripe's test mode")
      .option("--live-mode", "switch to live mode")
      .option(...CONNECTED_ACCOUNTS)
      .option("--no-connected-accounts", "stop accepting events of connected accounts"),
  );
  withJson(command).action(async (rawName: unknown, raw: unknown) => {
    const name = readArgument("<processor>", nameInput, rawName);
    const mode = z.boolean().default(false);
    const shape = {
      ...jsonOption,
      org: idInput,
      apiKey: z.union([z.string(), z.literal(false), z.literal(true)]).optional(),
      apiKeyFile: file,
      testMode: mode,
      liveMode: mode,
      connectedAccounts: z.union([commaList, z.literal(false), z.literal(true)]).optional(),
    };
    const { json, org, testMode, liveMode, apiKey, apiKeyFile, connectedAccounts } = readOptions(shape, raw);
    if (testMode && liveMode) throw new UsageError("--test-mode: Cannot be combined with --live-mode.");
    const value = typeof apiKey === "string" ? apiKey : undefined;
    const api_key =
      apiKey === false ? null : readSecretOption({ flag: "--api-key", value, file: apiKeyFile });
    const livemode = testMode ? false : liveMode ? true : undefined;
    const named = connectedAccounts === true ? undefined : connectedAccounts;
    const connected_accounts = named === false ? [] : named;
    if (api_key === undefined && livemode === undefined && connected_accounts === undefined) {
      throw new UsageError(
        "Set --api-key, --no-api-key, --test-mode, --live-mode, --connected-accounts or --no-connected-accounts.",
      );
    }
    const input = readOptions(updateProcessorInput.shape, { name, api_key, livemode, connected_accounts });
    const updated = await withSecretsKey(org, (context, key) => updateProcessor(context, key, input));
    printOne({ ...updated }, { json });
  });
}

function addRotate(processor: Command): void {
  const command = withSecret(
    processor
      .command("rotate")
      .description("rotate a connection's signing secret; the old one stays valid for 24 hours")
      .argument("<processor>", processorNames.join(" or "))
      .requiredOption(...ORG),
  );
  withJson(command).action(async (rawName: unknown, raw: unknown) => {
    const name = readArgument("<processor>", nameInput, rawName);
    const { json, org, ...secrets } = readOptions({ ...jsonOption, ...secretOptions, org: idInput }, raw);
    const input = readOptions(rotateProcessorInput.shape, { name, signing_secret: signingSecretOf(secrets) });
    const rotated = await withSecretsKey(org, (context, key) => rotateProcessor(context, key, input));
    printOne({ ...rotated }, { json });
  });
}

function addDisconnect(processor: Command): void {
  const command = processor
    .command("disconnect")
    .description("disconnect a payment processor, and delete the endpoint that was created for it")
    .argument("<processor>", processorNames.join(" or "))
    .requiredOption(...ORG)
    .option("--leave-endpoint", "leave the endpoint that the service created at Stripe", false);
  withJson(command).action(async (rawName: unknown, raw: unknown) => {
    const name = readArgument("<processor>", nameInput, rawName);
    const shape = { ...jsonOption, org: idInput, leaveEndpoint: z.boolean() };
    const { json, org, leaveEndpoint: leave_endpoint } = readOptions(shape, raw);
    const config = readConfig();
    const disconnected = await withDatabase(config, async (database) => {
      const item = await withOrganization(database, org, (context) =>
        disconnectProcessor(context, { name, leave_endpoint }),
      );
      if (item.endpoint_state === "deleting") await deleteStripeEndpoint(config, { database, org });
      return item;
    });
    printOne({ ...disconnected }, { json });
  });
}

function withSecret(command: Command): Command {
  return command
    .option("--signing-secret <secret>", "the secret that signs its messages, whsec_…")
    .option("--signing-secret-file <file>", "read the secret from a file, or from standard input (-)");
}

function withApiKey(command: Command): Command {
  return command
    .option("--api-key <key>", "a restricted key of Stripe, rk_…, for promotion codes and missed events")
    .option("--api-key-file <file>", "read the key from a file, or from standard input (-)");
}

function signingSecretOf(secrets: {
  signingSecret?: string | undefined;
  signingSecretFile?: string | undefined;
}) {
  const { signingSecret: value, signingSecretFile } = secrets;
  return readSecretOption({ flag: "--signing-secret", value, file: signingSecretFile });
}

function apiKeyOf({
  apiKey: value,
  apiKeyFile,
}: {
  apiKey?: string | undefined;
  apiKeyFile?: string | undefined;
}) {
  return readSecretOption({ flag: "--api-key", value, file: apiKeyFile });
}

async function withSecretsKey<Result>(
  organization_id: string,
  work: (context: Context, secrets_key: SecretsKey) => Promise<Result>,
): Promise<Result> {
  const config = readConfig();
  requireSecretsKey(config);
  return await withDatabase(config, async (database) => {
    const secrets_key = await openSecretsKey(config, database);
    return await withOrganization(database, organization_id, (context) => work(context, secrets_key));
  });
}
