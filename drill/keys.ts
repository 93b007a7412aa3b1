import { join } from "node:path";
import { type Machine, run } from "./machine.ts";

/** Where a machine has its key and its certificates. */
export const KEY_PATHS = ["/etc/ssl/certs", "/etc/ssl/private"];
/** Its members may read keys. */
export const KEY_GROUP = "ssl-cert";

/** Puts the key and the certificates of a machine at their places, as the page does. */
export async function installKeys(machine: Machine, keys: string): Promise<void> {
  const install = (mode: string, file: string, as: string) =>
    run("install", "-m", mode, "-g", KEY_GROUP, join(keys, file), join(machine.folder, "/etc/ssl", as));
  await install("644", "ca.crt", "certs/findersfee-ca.crt");
  await install("644", `${machine.name}.crt`, "certs/findersfee.crt");
  await install("640", `${machine.name}.key`, "private/findersfee.key");
}
