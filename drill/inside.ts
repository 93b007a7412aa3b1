/* The drill inside its namespaces, which `main.ts` makes. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Drill, type Result, writeResults } from "./drill.ts";
import { newSetup } from "./files.ts";
import { run } from "./machine.ts";
import { readOptions } from "./options.ts";
import { tableOf } from "./table.ts";

async function main(): Promise<void> {
  const { failures, per_second, api, tls, program } = readOptions();
  const folder = process.env.DRILL_FOLDER;
  if (folder === undefined || program === null) throw new Error("Start the drill with `pnpm drill`.");
  await mkdir("/run/netns", { recursive: true });
  for (const path of ["/run/netns", join(folder, "machines")])
    await run("mount", "-t", "tmpfs", "-o", "size=4g,mode=0755", "tmpfs", path);
  const drill = await Drill.start({
    setup: await newSetup(folder, tls ? join(folder, "keys") : null),
    root: join(folder, "machines"),
    logs: join(folder, "logs"),
    program,
    api,
    per_second,
  });
  const results: Result[] = [];
  try {
    for (const failure of failures) {
      console.log(`${failure.name}: ${failure.description}`);
      const result = await drill.run(failure);
      results.push(result);
      for (const missed of result.missed) console.log(`  missed: ${missed}`);
    }
  } finally {
    await writeResults(join(folder, "logs", "results.json"), results);
    console.log(`\n${tableOf(results)}`);
  }
  process.exit(results.every(({ missed }) => missed.length === 0) ? 0 : 1);
}

await main();
