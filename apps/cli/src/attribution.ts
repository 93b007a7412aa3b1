import { readFile } from "node:fs/promises";
import {
  type BacktestResult,
  backtestMonths,
  createBacktestInput,
} from "@findersfee/contract/attribution/backtests";
import { currencyDecimals } from "@findersfee/contract/currencies";
import { idInput } from "@findersfee/contract/fields";
import { cancelBacktest } from "@findersfee/domain/attribution/backtest/cancel";
import { runBacktest } from "@findersfee/domain/attribution/backtest/run";
import type { Command } from "commander";
import { z } from "zod";
import { withDatabase } from "./command-database.ts";
import { readConfig } from "./config.ts";
import { withOrganization } from "./operator-context.ts";
import { commaList, jsonOption, readOptions, UsageError, withJson } from "./options.ts";
import { type Printable, printJson, printLine, printList, printNotice } from "./print.ts";

export function addBacktest(program: Command): void {
  const command = program
    .command("backtest")
    .description("decide past payments again by a draft of a campaign or of own rules, and change nothing")
    .requiredOption("--org <id>", "the organization")
    .requiredOption(
      "--draft <file>",
      "JSON: the settings to try, as in PUT /campaigns; `-` reads standard input",
    )
    .option("--campaign <id>", "the campaign that would have them")
    .option(
      "--affiliates <ids>",
      "instead: affiliates, separated by commas, that would have the file's `rules`",
    )
    .option("--months <number>", "so many months before the current one, 3 to 24", "12")
    .addHelpText(
      "after",
      `
Read-only, and safe while the service runs: it needs only the database. It prints the cost before and
after, net of refunds, by month, the affiliates who lose and gain most, and payments with the largest
differences.

Example:
  echo '{ "commission_amount": 25 }' > draft.json
  findersfee backtest --org 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90 \\
    --campaign 0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91 --draft draft.json --months 12`,
    );
  withJson(command).action(async (raw: unknown) => {
    const { json, org, campaign, affiliates, draft, months } = readOptions(
      {
        ...jsonOption,
        org: idInput,
        campaign: idInput.optional(),
        affiliates: commaList.pipe(z.array(idInput)).optional(),
        draft: z.string(),
        months: z.coerce.number().pipe(backtestMonths),
      },
      raw,
    );
    if ((campaign === undefined) === (affiliates === undefined))
      throw new UsageError("--campaign or --affiliates: One of the two is required.");
    const settings = await readDraftFile(draft);
    const drafted =
      campaign === undefined
        ? { affiliate_rules: [{ affiliate_ids: affiliates, ...settings }] }
        : { campaign: { ...settings, campaign_id: campaign } };
    const input = readDraft({ ...drafted, months });
    const result = await withDatabase(readConfig(), (database) =>
      withOrganization(database, org, (context) => runBacktest(context, input, json ? undefined : notify)),
    );
    if (json) printJson(result);
    else print(result);
  });
}

export function addCancelBacktest(program: Command): void {
  const command = program
    .command("cancel-backtest")
    .description("end a backtest that the API or the dashboard has started")
    .requiredOption("--org <id>", "the organization")
    .requiredOption("--backtest <id>", "the backtest; one that has ended stays as it is");
  withJson(command).action(async (raw: unknown) => {
    const { json, org, backtest } = readOptions({ ...jsonOption, org: idInput, backtest: idInput }, raw);
    const canceled = await withDatabase(readConfig(), (database) =>
      withOrganization(database, org, (context) => cancelBacktest(context, backtest)),
    );
    if (json) printJson(canceled);
    else printLine(`The backtest is ${canceled.state}.`);
  });
}

async function readDraftFile(path: string): Promise<object> {
  const text = path === "-" ? await readInput() : await readFile(path, "utf8");
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  } catch (error) {
    throw new UsageError(
      `--draft: ${path} must be a JSON object: ${error instanceof Error ? error.message : error}`,
    );
  }
}

async function readInput(): Promise<string> {
  let text = "";
  for await (const chunk of process.stdin) text += chunk;
  return text;
}

function readDraft(draft: object) {
  const result = createBacktestInput.safeParse(draft);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new UsageError(`--draft: ${issue?.path.slice(1).join(".")}: ${issue?.message}`);
}

const NOTIFY_EVERY = 100_000;
let notified = 0;

function notify(done: number): void {
  if (done < notified + NOTIFY_EVERY) return;
  notified = done;
  printNotice(`${done.toLocaleString("en-US")} payments`);
}

function print(result: BacktestResult): void {
  const { payments, changed_payments, months, losing, gaining, examples, reviews } = result;
  printLine(`${payments} payments; ${changed_payments} would be decided differently`);
  const sections: [string, Printable[]][] = [
    ["Cost by month", [...months.map(costOf), ...sumsOf(months)]],
    ["Affiliates who lose most", losing.map(costOf)],
    ["Affiliates who gain most", gaining.map(costOf)],
    ["Commissions that wait for a review", reviews],
    ["Payments", examples.map(exampleOf)],
  ];
  for (const [title, rows] of sections) {
    printLine();
    printLine(title);
    printList(rows, { json: false, none: "None." });
  }
  printNotes(result);
}

function printNotes({ unrecorded_metadata, payments_without_interval }: BacktestResult): void {
  for (const { key, recorded_since } of unrecorded_metadata) {
    const since = recorded_since === null ? "is not recorded yet" : `is recorded since ${recorded_since}`;
    printLine();
    printLine(`The metadata key ${key} ${since}: rules that name it match fewer payments.`);
  }
  if (payments_without_interval > 0) {
    printLine();
    printLine(`${payments_without_interval} payments have lines of an unknown billing interval.`);
  }
}

type Cost = Pick<
  BacktestResult["losing"][number],
  "currency" | "payments" | "before_amount" | "after_amount"
> & { month?: string; email?: string };

function costOf({ month, email, currency, payments, before_amount, after_amount }: Cost): Printable {
  const money = (amount: number) => amount.toFixed(currencyDecimals(currency));
  return {
    ...(month !== undefined && { month }),
    ...(email !== undefined && { affiliate: email }),
    currency,
    payments,
    before: money(before_amount),
    after: money(after_amount),
    difference: money(after_amount - before_amount),
  };
}

/** The sums of each currency. */
function sumsOf(months: BacktestResult["months"]): Printable[] {
  return [...new Set(months.map(({ currency }) => currency))].map((currency) => {
    const own = months.filter((month) => month.currency === currency);
    const sum = (field: "payments" | "before_amount" | "after_amount") =>
      own.reduce((total, month) => total + month[field], 0);
    return costOf({
      month: "all",
      currency,
      payments: sum("payments"),
      before_amount: sum("before_amount"),
      after_amount: sum("after_amount"),
    });
  });
}

function exampleOf({
  processor_payment_id,
  paid_at,
  currency,
  revenue_amount,
  before,
  after,
}: BacktestResult["examples"][number]): Printable {
  const decided = ({ outcome, commission_amount }: typeof before) =>
    outcome === "commission" ? commission_amount.toFixed(currencyDecimals(currency)) : outcome;
  return {
    payment: processor_payment_id,
    paid: paid_at.slice(0, 10),
    currency,
    revenue: revenue_amount.toFixed(currencyDecimals(currency)),
    before: decided(before),
    after: decided(after),
  };
}
