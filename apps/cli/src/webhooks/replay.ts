import { idInput, timestampInput } from "@findersfee/contract/fields";
import { createReplay } from "@findersfee/domain/webhooks/replays/create";
import { listReplays } from "@findersfee/domain/webhooks/replays/list";
import { stopReplay } from "@findersfee/domain/webhooks/replays/stop";
import type { Command } from "commander";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withEndpointOwner } from "../operator-context.ts";
import { jsonOption, readOptions, UsageError, withJson } from "../options.ts";
import { printList, printOne } from "../print.ts";

const ENDPOINT = ["--endpoint <id>", "the endpoint"] as const;

export function addReplay(program: Command): void {
  const replay = program.command("replay").description("redeliver events of a time range");
  addCreate(replay);
  addList(replay);
  addStop(replay);
}

function addCreate(replay: Command): void {
  const command = replay
    .command("create")
    .description("redeliver everything that failed at an endpoint in a time range")
    .requiredOption(...ENDPOINT)
    .requiredOption("--from <time>", "events created from this time on, as in 2026-11-20T09:00:00Z")
    .option("--to <time>", "events created before this time; default: now")
    .addHelpText(
      "after",
      `
The workers run it in steps; \`replay list\` shows the progress.

Example:
  findersfee replay create --endpoint <id> --from 2026-11-20T09:00:00Z --to 2026-11-20T12:00:00Z`,
    );
  withJson(command).action(async (raw: unknown) => {
    const shape = {
      ...jsonOption,
      endpoint: idInput,
      from: timestampInput,
      to: timestampInput.default(() => new Date().toISOString()),
    };
    const { json, endpoint: endpoint_id, from: events_from, to: events_to } = readOptions(shape, raw);
    if (Date.parse(events_from) >= Date.parse(events_to)) throw new UsageError("--to: Must be after --from.");
    const created = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, endpoint_id, (context) =>
        createReplay(context, { endpoint_id, events_from, events_to }),
      ),
    );
    printOne(created, { json });
  });
}

function addList(replay: Command): void {
  const command = replay
    .command("list")
    .description("list an endpoint's replays with their progress, newest first")
    .requiredOption(...ENDPOINT);
  withJson(command).action(async (raw: unknown) => {
    const { json, endpoint: endpoint_id } = readOptions({ ...jsonOption, endpoint: idInput }, raw);
    const replays = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, endpoint_id, (context) => listReplays(context, endpoint_id)),
    );
    printList(replays, { json, none: "No replays." });
  });
}

function addStop(replay: Command): void {
  const command = replay
    .command("stop")
    .description("stop a replay; up to 500 deliveries that it already scheduled are still delivered")
    .argument("<id>", "the replay's id, as shown by `replay list`")
    .requiredOption(...ENDPOINT);
  withJson(command).action(async (id: string, raw: unknown) => {
    const shape = { ...jsonOption, endpoint: idInput, id: idInput };
    const { json, endpoint: endpoint_id, id: replay_id } = readOptions(shape, { ...Object(raw), id });
    const stopped = await withDatabase(readConfig(), (database) =>
      withEndpointOwner(database, endpoint_id, (context) => stopReplay(context, replay_id)),
    );
    printOne(stopped, { json });
  });
}
