import { idInput } from "@findersfee/contract/fields";
import { lookupPurposes } from "@findersfee/contract/processors/processors";
import type { Context } from "@findersfee/domain/context";
import { listLookups } from "@findersfee/domain/processors/lookups/list";
import { retryLookups } from "@findersfee/domain/processors/lookups/retry";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "../command-database.ts";
import { readConfig } from "../config.ts";
import { withOrganization } from "../operator-context.ts";
import { jsonOption, readOptions, UsageError, withJson } from "../options.ts";
import { printList, printOne } from "../print.ts";

const MOST = 100;

/** Adds `processor waiting`. */
export function addWaiting(processor: Command): void {
  const command = processor
    .command("waiting")
    .description(`list the ${MOST} oldest payments, refunds and disputes that wait for data from Stripe`)
    .requiredOption("--org <id>", "the organization")
    .option("--purpose <purpose>", `only lookups for this purpose: ${lookupPurposes.join(", ")}`)
    .option("--retry", "retry all lookups, including those that failed permanently", false)
    .addHelpText(
      "after",
      `
A refund or dispute waits for \`payment\` while its payment is unknown; until then it reduces no commission.
The worker fetches the missing data if the connection has an API key (docs/processors.md).

Examples:
  findersfee processor waiting --org <id> --purpose payment
  findersfee processor waiting --org <id> --retry`,
    );
  withJson(command).action(async (raw: unknown) => {
    const purpose = z.enum(lookupPurposes).optional();
    const { json, org, retry, ...filter } = readOptions(
      { ...jsonOption, org: idInput, purpose, retry: z.boolean() },
      raw,
    );
    if (retry && filter.purpose !== undefined) {
      throw new UsageError("--purpose: Cannot be combined with --retry.");
    }
    const run = <Result>(work: (context: Context) => Promise<Result>) =>
      withDatabase(readConfig(), (database) => withOrganization(database, org, work));
    if (retry) return printOne({ ...(await run(retryLookups)) }, { json });
    const { data } = await run((context) => listLookups(context, { limit: MOST, ...filter }));
    printList(
      data.map((item) => ({ ...item })),
      { json, none: "Nothing waits for data from Stripe." },
    );
  });
}
