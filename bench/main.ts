/*
 * Question: how fast is it, and does it meet its targets? `pnpm bench api` measures the API, `pnpm bench
 * webhooks` deliveries, `pnpm bench sdk` the installed SDK, `pnpm bench tracking` clicks and their
 * processing, `pnpm bench payouts` payout runs; without a name it prints the help.
 */
import { answerApi } from "./api.ts";
import { HELP, readOptions } from "./options.ts";
import { answerPayouts } from "./payouts.ts";
import { runBench } from "./run.ts";
import { answerSdk } from "./sdk.ts";
import { answerTracking } from "./tracking.ts";
import { answerWebhooks } from "./webhooks.ts";

async function main(): Promise<void> {
  const options = readOptions();
  switch (options.bench) {
    case null:
      console.log(HELP);
      return;
    case "api":
      await runBench(options, answerApi);
      return;
    case "webhooks":
      await runBench(options, answerWebhooks);
      return;
    case "sdk":
      await runBench(options, answerSdk);
      return;
    case "payouts":
      await runBench(options, answerPayouts);
      return;
    case "tracking":
      await runBench(options, answerTracking);
      return;
    default:
      throw new Error(`unknown bench ${options.bench}\n\n${HELP}`);
  }
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  // Children may still be working; they exit with this process.
  process.exit(1);
}
