/*
 * Answers: how fast is it, and is that what was asked for? `pnpm bench api` measures the API; without a
 * name it says what there is.
 */
import { benchApi } from "./api.ts";
import { HELP, readOptions } from "./options.ts";

async function main(): Promise<void> {
  const options = readOptions();
  switch (options.bench) {
    case null:
      console.log(HELP);
      return;
    case "api":
      await benchApi(options);
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
