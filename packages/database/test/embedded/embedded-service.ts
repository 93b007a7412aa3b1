/* A process that runs an embedded Postgres as `start` does, for tests that kill it. Argument: the data folder. */
import { startEmbedded } from "../../src/embedded/embedded.ts";

const [data_dir = ""] = process.argv.slice(2);

try {
  const { url, stop } = await startEmbedded({ data_dir, settings: { fsync: "off" } });
  process.once("SIGTERM", () => void stop().then(() => process.exit()));
  process.stdout.write(`${url}\n`);
} catch (error) {
  process.stdout.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
