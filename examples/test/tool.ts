import { spawnSync } from "node:child_process";

/** A tool that runs or compiles examples, with its minimum version. */
export interface Tool {
  command: string;
  /** Makes it print its version. */
  parameters: string[];
  minimum: [major: number, minor: number];
}

/** Why a tool cannot be used here, or null if it can. */
export function whyMissing({ command, parameters, minimum }: Tool): string | null {
  const { status, stdout } = spawnSync(command, parameters, { encoding: "utf8" });
  const found = /(\d+)\.(\d+)/.exec(stdout ?? "");
  if (status !== 0 || found === null) return `${command} is not installed`;
  const [major, minor] = [Number(found[1]), Number(found[2])];
  const is_new_enough = major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
  return is_new_enough ? null : `${command} is older than ${minimum.join(".")}`;
}
