import { open } from "node:fs/promises";
import { importExchangeRates } from "@findersfee/domain/exchange-rates/import";
import { MAX_FILE_BYTES, RatesFileError } from "@findersfee/domain/exchange-rates/parse-file";
import type { Command } from "commander";
import { withDatabase } from "./command-database.ts";
import { readConfig } from "./config.ts";
import { jsonOption, readOptions, withJson } from "./options.ts";
import { printJson, printLine } from "./print.ts";

export function addRates(program: Command): void {
  const rates = program.command("rates").description("exchange rates of all organizations");
  const command = rates
    .command("import <file>")
    .description("store the exchange rates of a file of the European Central Bank")
    .addHelpText(
      "after",
      `
The file is one of eurofxref-daily.xml, eurofxref-hist-90d.xml and eurofxref-hist.xml, or the CSV file
in eurofxref.zip or eurofxref-hist.zip. Rates that are known already change nothing; a different rate
for a known day corrects it for payments that are decided from now on.

Example:
  findersfee rates import eurofxref-hist.xml`,
    );
  withJson(command).action(async (file: string, raw: unknown) => {
    const { json } = readOptions(jsonOption, raw);
    const text = await readRatesFile(file);
    const imported = await withDatabase(readConfig(), (database) => importExchangeRates(database, text));
    if (json) {
      printJson(imported);
      return;
    }
    const { rates: all, first_day, last_day, added, corrected } = imported;
    printLine(`Read ${all} rates of ${first_day} to ${last_day}: ${added} new, ${corrected} corrected.`);
  });
}

/** Reads at most the bound and one byte, so that a device without an end cannot fill the memory. */
async function readRatesFile(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false })) {
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) throw new RatesFileError(`${file} is larger than 32 MiB.`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString("utf8");
  } finally {
    await handle.close();
  }
}
