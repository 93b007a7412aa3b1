import { userInfo } from "node:os";
import {
  acceptContinuity,
  type CheckedContinuity,
  checkContinuity,
  type LostEvent,
  listLostEvents,
} from "@findersfee/domain/continuity/verify";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "./command-database.ts";
import { continuityFolder, readConfig } from "./config.ts";
import { jsonOption, readOptions, withJson } from "./options.ts";
import { printJson, printLine } from "./print.ts";

const STEPPED_BACK = 1;

export function addContinuity(verify: Command): void {
  const command = verify
    .command("continuity")
    .description(
      "check that the database did not go back to an older state, and list delivered events that are gone",
    )
    .option("--accept", "accept the present state: processes that stopped writing go on")
    .option("--all", "list events that were delivered before the last acceptance, too")
    .addHelpText(
      "after",
      `
Compares the database with what the processes of this machine keep in CONTINUITY_DIR: the state that
they saw last, and the deliveries that receivers confirmed. Run it on each machine with a worker. Events
of more than 85 days are ignored. Without --accept it is read-only, and its exit code is 1 when the
database went back. With --json, each event is an object on its own line.

Examples:
  findersfee verify continuity
  findersfee verify continuity --accept`,
    );
  withJson(command).action(async (raw: unknown) => {
    const flags = { accept: z.boolean().default(false), all: z.boolean().default(false) };
    const { json, accept, all } = readOptions({ ...jsonOption, ...flags }, raw);
    const config = readConfig();
    const folder = continuityFolder(config);
    await withDatabase(config, async (database) => {
      const checked = await checkContinuity(database, folder);
      let lost = 0;
      if (folder !== null && checked.has_journal) {
        const since = all ? null : (checked.accepted?.id ?? null);
        for await (const event of listLostEvents(database, { folder, since })) {
          lost += 1;
          if (json) printJson(event, { indented: false });
          else printLine(inWords(event));
        }
      }
      if (!json) summarize(checked, lost);
      if (accept) {
        const lost_events = checked.has_journal ? lost : null;
        await acceptContinuity(database, { accepted_by: userInfo().username, lost_events });
        if (!json) printLine("This state is accepted. Processes that stopped go on within two seconds.");
      } else if (checked.step_back !== null || lost > 0) process.exitCode = STEPPED_BACK;
    });
  });
}

function inWords({ organization_id, event_id, endpoint_id, created_at }: LostEvent): string {
  return `lost: organization ${organization_id}, event ${event_id}, endpoint ${endpoint_id}, ${created_at.toISOString()}`;
}

function summarize({ step_back, has_journal, accepted }: CheckedContinuity, lost: number): void {
  if (accepted !== null) {
    const { accepted_at, accepted_by, lost_events } = accepted;
    const events = lost_events === null ? "" : `, with ${lost_events} lost events`;
    printLine(`Last accepted on ${accepted_at.toISOString()} by ${accepted_by}${events}.`);
  }
  if (!has_journal) {
    printLine(
      "This machine keeps no journal: set CONTINUITY_DIR, or compare with `findersfee feed compare`.",
    );
  } else if (step_back !== null) printLine(step_back);
  else if (lost === 0) printLine("The database has all that was seen and delivered.");
  if (lost > 0) printLine(`${lost} delivered events do not exist.`);
}
