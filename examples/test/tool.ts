import { spawnSync } from "node:child_process";

/** What runs or compiles examples, and from which version on. */
export interface Tool {
  command: string;
  /** Has it print its version. */
  parameters: string[];
  minimum: [major: number, minor: number];
}

/** Why a tool cannot be used here, or null when it can. */
export function whyMissing({ command, parameters, minimum }: Tool): string | null {
  const { status, stdout } = spawnSync(command, parameters, { encoding: "utf8" });
  const found = /(\d+)\.(\d+)/.exec(stdout ?? "");
  if (status !== 0 || found === null) return `${command} is not installed`;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const is_new_enough = major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
  return is_new_enough ? null : `${command} is older than ${minimum.join(".")}`;
}
