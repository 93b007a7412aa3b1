import { readFileSync } from "node:fs";
import { UsageError } from "./options.ts";

/** What a command line names for a secret: the secret, or a file that holds it (`-`: standard input). */
export interface SecretOption {
  flag: string;
  value: string | undefined;
  file: string | undefined;
}

/**
 * The secret, or undefined when none is named. From a file it does not stand in the shell's history.
 *
 * @throws UsageError when both are named, or the file cannot be read
 */
export function readSecretOption({ flag, value, file }: SecretOption): string | undefined {
  if (file === undefined) return value;
  if (value !== undefined) throw new UsageError(`${flag}: Is said twice, here and with ${flag}-file.`);
  try {
    return readFileSync(file === "-" ? process.stdin.fd : file, "utf8").trim();
  } catch (error) {
    throw new UsageError(`${flag}-file: ${error instanceof Error ? error.message : String(error)}`);
  }
}
