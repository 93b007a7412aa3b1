/*
 * Answers: how fast is it, and is that what was asked for? `pnpm bench api` measures the API, `pnpm bench
 * webhooks` the deliveries, `pnpm bench sdk` what is installed, `pnpm bench tracking` clicks and what comes of them, `pnpm bench payouts` how
 * affiliates are paid; without a name it says what there is.
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
      throw new Error(`there is no bench ${options.bench}\n\n${HELP}`);
  }
}

try {
  await main();
} catch (error) {
  console.error(`error: ${error instanceof Error ? error.message : String(error)}`);
  // Children may still be at work; they end with this process.
  process.exit(1);
}
