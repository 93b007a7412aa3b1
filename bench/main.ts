/*
 * Question: how fast is it, and does it meet its targets? `pnpm bench api` measures the API, `pnpm bench
 * webhooks` deliveries, `pnpm bench sdk` the installed SDK, `pnpm bench tracking` clicks and their
 * processing, `pnpm bench payouts` payout runs, `pnpm bench dashboard` the
 * dashboard in Chromium, `pnpm bench portal` the affiliates' portal, `pnpm bench tricks` what each trick for
 * speed saves; without a name it prints the help.
 */
import { benchApi } from "./api.ts";
import { benchDashboard } from "./dashboard.ts";
import { HELP, readOptions } from "./options.ts";
import { benchPayouts } from "./payouts.ts";
import { benchPortal } from "./portal.ts";
import { runBench } from "./run.ts";
import { benchSdk } from "./sdk.ts";
import { benchTracking } from "./tracking.ts";
import { benchTricks } from "./tricks.ts";
import { benchWebhooks } from "./webhooks.ts";

async function main(): Promise<void> {
  const options = readOptions();
  switch (options.bench) {
    case null:
      console.log(HELP);
      return;
    case "api":
      await runBench(options, benchApi);
      return;
    case "webhooks":
      await runBench(options, benchWebhooks);
      return;
    case "sdk":
      await runBench(options, benchSdk);
      return;
    case "payouts":
      await runBench(options, benchPayouts);
      return;
    case "tracking":
      await runBench(options, benchTracking);
      return;
    case "dashboard":
      await runBench(options, benchDashboard);
      return;
    case "portal":
      await runBench(options, benchPortal);
      return;
    case "tricks":
      await runBench(options, benchTricks);
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
