import { readFile } from "node:fs/promises";

const PAGE = new URL("../docs/high-availability.md", import.meta.url);

/** The commands of docs/high-availability.md that are marked with this remark. */
export async function commandsOf(remark: string): Promise<string> {
  const page = await readFile(PAGE, "utf8");
  const [, commands] = page.split(`\`\`\`sh ${remark}\n`);
  if (commands === undefined) throw new Error(`docs/high-availability.md has no block "${remark}"`);
  return commands.slice(0, commands.indexOf("```"));
}
