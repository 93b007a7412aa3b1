import { idInput } from "@findersfee/contract/fields";
import { eventTypes } from "@findersfee/contract/webhooks/events";
import { compareFeed, type FeedDifference } from "@findersfee/domain/webhooks/events/compare";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readOptions, withJson } from "../options.ts";
import { printJson, printLine } from "../print.ts";
import { withSortedIds } from "./sorted-ids.ts";

const DIFFERENT = 1;

const options = {
  ...jsonOption,
  org: idInput,
  ids: z.string(),
  since: z.iso.datetime({ offset: true, error: "must be a time such as 2026-01-31T12:00:00Z" }).optional(),
  types: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(z.enum(eventTypes)))
    .optional(),
};

export function addFeed(program: Command): void {
  const feed = program.command("feed").description("the events feed of an organization");
  const command = feed
    .command("compare")
    .description("compare the events that a receiver has with the stored ones, for example after a restore")
    .requiredOption("--org <id>", "the organization")
    .requiredOption(
      "--ids <file>",
      "the receiver's event ids, one on each line, in any order; -: standard input",
    )
    .option("--since <time>", "compare events from this time on; default: from the receiver's first one")
    .option("--types <list>", "event types that the receiver gets, separated by commas; default: all")
    .addHelpText(
      "after",
      `
Read-only; safe while the service runs. A line may have more after the id, such as ,time. Ids of events
that are older than 90 days are ignored: the database does not keep them. The exit code is 1 when
there is a difference. With --json, each difference is an object on its own line.

Example:
  findersfee feed compare --org 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 --ids received.csv`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, ids: file, since, types } = readOptions(options, raw);
    const counts = { receiver: 0, database: 0 };
    await withSortedIds(file, (ids) =>
      withDatabase(readConfig(), (database) =>
        withOrganization(database, org, async () => {
          const from = since === undefined ? null : new Date(since);
          const compared = { ids, since: from, types: types ?? null };
          for await (const difference of compareFeed(database, org, compared)) {
            counts[difference.only] += 1;
            if (json) printJson(difference, { indented: false });
            else printLine(inWords(difference));
          }
        }),
      ),
    );
    if (!json) {
      printLine(
        `${counts.receiver} events are lost here, and ${counts.database} are missing at the receiver.`,
      );
    }
    if (counts.receiver + counts.database > 0) process.exitCode = DIFFERENT;
  });
}

function inWords({ id, only, type, created_at }: FeedDifference): string {
  const time = created_at.toISOString();
  return only === "receiver" ? `lost: ${id}, ${time}` : `missing at the receiver: ${id}, ${type}, ${time}`;
}
