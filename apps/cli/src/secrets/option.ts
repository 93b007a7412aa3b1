import { readFileSync } from "node:fs";
import { UsageError } from "../options.ts";

/** A secret on the command line: the value, or a file that contains it (`-`: standard input). */
export interface SecretOption {
  flag: string;
  value: string | undefined;
  file: string | undefined;
}

/**
 * The secret, or undefined without one. A file keeps it out of the shell's history.
 *
 * @throws UsageError when both are set, or the file cannot be read
 */
export function readSecretOption({ flag, value, file }: SecretOption): string | undefined {
  if (file === undefined) return value;
  if (value !== undefined) throw new UsageError(`${flag}: Cannot be combined with ${flag}-file.`);
  try {
    return readFileSync(file === "-" ? process.stdin.fd : file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`${flag}-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}
