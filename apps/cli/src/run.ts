import { hasCode } from "@findersfee/database/postgres/error-code";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { DomainError } from "@findersfee/domain/errors";
import { Command, CommanderError } from "commander";
import packageJson from "../package.json" with { type: "json" };
import { addBacktest, addCancelBacktest } from "./attribution.ts";
import { addDemo } from "./demo/command.ts";
import { addErase } from "./erasure.ts";
import { addRates } from "./exchange-rates.ts";
import { addKey } from "./identity/key.ts";
import { addUser } from "./identity/user.ts";
import { addVerify } from "./ledger.ts";
import { flagOf, UsageError } from "./options.ts";
import { addOrg } from "./organizations.ts";
import { parserOutput, printNotice } from "./print.ts";
import { addProcessor } from "./processors/processor.ts";
import { addStripe } from "./processors/stripe.ts";
import { addTotals } from "./reports.ts";
import { addSecrets } from "./secrets/command.ts";
import { addApi } from "./service/api.ts";
import { addMigrate } from "./service/migrate.ts";
import { addStart } from "./service/start.ts";
import { addWorker } from "./service/worker.ts";
import { addTrack } from "./tracking/command.ts";
import { addDelivery } from "./webhooks/delivery.ts";
import { addEndpoint } from "./webhooks/endpoint.ts";
import { addFeed } from "./webhooks/feed.ts";
import { addListen } from "./webhooks/listen/command.ts";
import { addReplay } from "./webhooks/replay.ts";
import { addTrigger } from "./webhooks/trigger.ts";

const FAILED = 1;
const WRONG_USAGE = 2;
const HINT = "Add --help for usage.";

function makeProgram(): Command {
  const program = new Command("findersfee")
    .description("The affiliate-program service and its operator commands.")
    .version(packageJson.version)
    .exitOverride()
    .configureOutput(parserOutput)
    .showHelpAfterError(HINT)
    .addHelpText(
      "after",
      `
Commands use the database in DATABASE_URL, or else the embedded one in DATA_DIR (.findersfee), even
while \`findersfee start\` runs; \`listen\` connects to a service instead, and \`track test\` connects to a page.

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
    );
  for (const add of [
    addStart,
    addApi,
    addWorker,
    addMigrate,
    addOrg,
    addUser,
    addKey,
    addEndpoint,
    addDelivery,
    addReplay,
    addFeed,
    addProcessor,
    addStripe,
    addListen,
    addTrigger,
    addTrack,
    addVerify,
    addTotals,
    addRates,
    addBacktest,
    addCancelBacktest,
    addSecrets,
    addErase,
    addDemo,
  ])
    add(program);
  return program;
}

/** Runs the command line; the process's exit code reports the result. */
export async function run(): Promise<void> {
  // A reader may close the pipe early, as in `findersfee key list | head -1`.
  process.stdout.on("error", (error) => {
    if (!hasCode(error, "EPIPE")) throw error;
  });
  try {
    await makeProgram().parseAsync();
  } catch (error) {
    process.exitCode = report(error);
  }
}

/** Prints the error on one line of stderr, and a hint on another; returns the exit code. */
function report(error: unknown): number {
  // Commander has already printed the error or the requested help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  printNotice(`error: ${describe(error).replaceAll(/\s*\n\s*/g, " ")}`);
  if (!isWrongUsage(error)) return FAILED;
  printNotice(HINT);
  return WRONG_USAGE;
}

/** An operation's issues refer to the typed options. */
function isWrongUsage(error: unknown): boolean {
  return error instanceof UsageError || (error instanceof DomainError && error.issues !== undefined);
}

function describe(error: unknown): string {
  if (error instanceof DomainError && error.issues !== undefined) {
    return error.issues.map(({ path, message }) => `${flagOf(path)}: ${message}`).join(" ");
  }
  if (isUnavailable(error)) return `The database is unavailable: ${messageOf(error)}`;
  return messageOf(error);
}

/** A refused connection to a host name with several addresses has no message of its own. */
function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join(", ");
  return error instanceof Error ? error.message : String(error);
}
