import { randomBytes } from "node:crypto";
import { cp, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./machine.ts";

const FILES = fileURLToPath(new URL("../deploy/ha/", import.meta.url));
/** Lines that name every machine, so that they are the same on each. */
const COMMON_LINE = /^(ETCD_INITIAL_CLUSTER=| {2}hosts: |SERVICE_HOSTS=|TRUST_PROXY=)/;

/** The passwords that the files name as `PASSWORD_OF_…`. */
export type Passwords = Record<"POSTGRES" | "REPLICATOR" | "FINDERSFEE", string>;

function newPasswords(): Passwords {
  const word = () => randomBytes(12).toString("hex");
  return { POSTGRES: word(), REPLICATOR: word(), FINDERSFEE: word() };
}

/** What every machine is made from. */
export interface Setup {
  /** A copy of `deploy/ha`. */
  files: string;
  passwords: Passwords;
  /** The folder of the keys and certificates; null: without TLS. */
  keys: string | null;
}

/** Copies `deploy/ha` into a folder, and changes the copy for TLS if there are keys. */
export async function newSetup(folder: string, keys: string | null): Promise<Setup> {
  const files = join(folder, "files");
  await cp(FILES, files, { recursive: true });
  if (keys !== null) await run("git", "-C", files, "apply", "-p3", "tls.patch");
  return { files, passwords: newPasswords(), keys };
}

/** Makes the keys and certificates of all machines in a folder. Returns the certificate of their authority. */
export async function makeKeys(folder: string): Promise<string> {
  await run("sh", join(FILES, "certificates.sh"), folder);
  return join(folder, "ca.crt");
}

/** A file of `deploy/ha` with passwords. */
export async function readConfigured(name: string, { files, passwords }: Setup): Promise<string> {
  let text = await readFile(join(files, name), "utf8");
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
