import { once } from "node:events";
import { createServer } from "node:net";

/**
 * Below the ports that systems give to connections, and to servers that ask for any: nobody gets one of these while its program
 * restarts. Each process of tests has a hundred of its own.
 */
const FIRST = 11_000;
const OF_PROCESS = 100;
const PROCESSES = 210;

let asked = 0;

/** A free port of this machine, for a program that takes its port as a setting, or that restarts at the same port. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < OF_PROCESS; tried++) {
    const port = FIRST + (process.pid % PROCESSES) * OF_PROCESS + (asked++ % OF_PROCESS);
    if (await isFree(port)) return port;
  }
  throw new Error("all ports of this process are taken");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listens = new Promise<boolean>((resolve) => {
    server.once("listening", () => resolve(true)).once("error", () => resolve(false));
  });
  server.listen(port, "127.0.0.1");
  if (!(await listens)) return false;
  server.close();
  await once(server, "close");
  return true;
}
