import { eventTypes } from "@findersfee/contract/events";
import { idInput, text } from "@findersfee/contract/fields";
import { createEndpoint } from "@findersfee/domain/webhooks/create-endpoint";
import type { Command } from "commander";
import { withDatabase } from "../command-database.ts";
import { endpointUrlRelaxations, readConfig, requireSecretsKey } from "../config.ts";
import { commaList, jsonOption, readOptions, withJson } from "../options.ts";
import { printOne } from "../print.ts";
import { openSecretsKey } from "../secrets.ts";

export function addEndpoint(program: Command): void {
  const endpoint = program.command("endpoint").description("webhook endpoints");
  const command = endpoint
    .command("create")
    .description("make a webhook endpoint; events from now on are recorded for it")
    .requiredOption("--org <id>", "the organization whose events it gets")
    .requiredOption("--url <url>", "where events are sent to, by https")
    .option("--events <list>", "only these event types; without it all, those of later versions too")
    .option("--description <text>", "what it is for", "")
    .addHelpText(
      "after",
      `
Event types: ${eventTypes.join(", ")}.
The receiver verifies deliveries with the secret.

Examples:
  findersfee endpoint create --org <id> --url https://example.com/webhooks
  findersfee endpoint create --org <id> --url https://example.com/webhooks --events commission.created --json`,
    );
  withJson(command).action(async (raw: unknown) => {
    const shape = {
      ...jsonOption,
      org: idInput,
      url: text(2048),
      events: commaList.nullable().default(null),
      description: text(1000),
    };
    const { json, org, url, events, description } = readOptions(shape, raw);
    const config = readConfig();
    requireSecretsKey(config);
    const created = await withDatabase(config, async (database) => {
      const policy = {
        ...endpointUrlRelaxations(config),
        secrets_key: await openSecretsKey(config, database),
      };
      return await createEndpoint(database, policy, {
        organization_id: org,
        url,
        event_types: events,
        description,
      });
    });
    printOne({ ...created }, { json });
  });
}
