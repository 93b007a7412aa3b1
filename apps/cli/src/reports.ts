import { idInput } from "@findersfee/contract/fields";
import { listOrganizations } from "@findersfee/domain/organizations/list";
import { rebuildTotals } from "@findersfee/domain/reports/totals/rebuild";
import type { Command } from "commander";
import { withDatabase } from "./command-database.ts";
import { readConfig } from "./config.ts";
import { jsonOption, readOptions, withJson } from "./options.ts";
import { printJson, printLine } from "./print.ts";

export function addTotals(program: Command): void {
  const totals = program.command("totals").description("maintain the totals of the dashboard's overview");
  const command = totals
    .command("rebuild")
    .description("recompute all totals from the stored clicks, referrals and commissions")
    .option("--org <id>", "only this organization; default: all")
    .addHelpText(
      "after",
      `
This is safe while the service runs: until an organization's totals are rebuilt, the dashboard shows
the old ones. If it is interrupted, a worker continues, or you can run it again. To see whether you
need it, such as after a repair of rows with SQL, run \`findersfee verify totals\`. Totals of clicks that
are no longer stored do not change.

Example:
  findersfee totals rebuild --org 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org } = readOptions({ ...jsonOption, org: idInput.optional() }, raw);
    const rebuilt = await withDatabase(readConfig(), async (database) => {
      const ids = org === undefined ? (await listOrganizations(database)).map(({ id }) => id) : [org];
      for (const id of ids) await rebuildTotals(database, id);
      return ids;
    });
    if (json) printJson({ organizations: rebuilt });
    else printLine(`Rebuilt the totals of ${rebuilt.length} organization${rebuilt.length === 1 ? "" : "s"}.`);
  });
}
