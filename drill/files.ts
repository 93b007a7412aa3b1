import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";

const FILES = new URL("../deploy/ha/", import.meta.url);
/** Lines that name every machine, so that they are the same on each. */
const COMMON_LINE = /^(ETCD_INITIAL_CLUSTER=| {2}hosts: |SERVICE_HOSTS=|TRUST_PROXY=)/;

/** The passwords that the files name as `PASSWORD_OF_…`. */
export type Passwords = Record<"POSTGRES" | "REPLICATOR" | "FINDERSFEE", string>;

export function newPasswords(): Passwords {
  const word = () => randomBytes(12).toString("hex");
  return { POSTGRES: word(), REPLICATOR: word(), FINDERSFEE: word() };
}

/** A file of `deploy/ha` with passwords. */
export async function readConfigured(name: string, passwords: Passwords): Promise<string> {
  let text = await readFile(new URL(name, FILES), "utf8");
  for (const [role, password] of Object.entries(passwords))
    text = text.replaceAll(`PASSWORD_OF_${role}`, password);
  return text;
}

/** The file of the first machine (`db1`, 10.0.0.11) as another one has it. */
export function forMachine(
  text: string,
  first: { name: string; address: string },
  machine: { name: string; address: string },
): string {
  const lines = text
    .split("\n")
    .map((line) =>
      COMMON_LINE.test(line)
        ? line
        : line.replaceAll(first.name, machine.name).replaceAll(first.address, machine.address),
    );
  return lines.join("\n");
}

/** The variables of a file with a `NAME=value` on each line. */
export function readVariables(text: string): Record<string, string> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}
