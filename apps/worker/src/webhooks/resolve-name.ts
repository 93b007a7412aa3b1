import { type LookupAddress, lookup, Resolver } from "node:dns";
import { isIP } from "node:net";

/** A name has no address, or its servers do not answer. */
export class NameError extends Error {
  override readonly name = "NameError";
}

export type ResolveName = (hostname: string) => Promise<LookupAddress[]>;

export interface NameOptions {
  /** `127.0.0.1:5353`: instead of the system's name servers. */
  name_servers?: string[];
  /** Whether names that only this machine knows count too, as those of its hosts file. */
  local_names: boolean;
  /** Of a whole attempt: looking a name up takes two thirds of it at most. */
  timeout_milliseconds: number;
}

/** Some servers never answer for IPv6. After the IPv4 addresses, others get so much time. */
const OTHERS_MILLISECONDS = 100;
/** Of the four threads that the process has for all its files, passwords and names. */
const SYSTEM_LOOKUPS = 2;
/** The name servers did answer, or there are none: this machine may know the name itself. */
const UNKNOWN_NAME = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ESERVFAIL", "EREFUSED"]);

/**
 * Makes a function that gives all addresses of a name, IPv4 first.
 *
 * Names are asked for with c-ares: the system's own look-up blocks a thread until it is done, and has four
 * for the whole process, so that a few names with silent servers would hold up all the others. Only
 * where local names count it is asked for what c-ares does not find, and never for more than two at once.
 *
 * The function rejects with a NameError.
 */
export function createResolveName(options: NameOptions): ResolveName {
  const { name_servers, local_names, timeout_milliseconds } = options;
  const resolver = new Resolver({ timeout: Math.ceil(timeout_milliseconds / 6), tries: 3 });
  if (name_servers !== undefined) resolver.setServers(name_servers);
  const limit = (timeout_milliseconds * 2) / 3;
  const system = new SystemNames(limit);
  const resolve = async (hostname: string) => {
    if (local_names && isLocalName(hostname)) return await system.resolve(hostname);
    try {
      return await ask(resolver, hostname);
    } catch (error) {
      if (!local_names || !(error instanceof Error && "code" in error)) throw error;
      if (!UNKNOWN_NAME.has(String(error.code))) throw error;
      return await system.resolve(hostname);
    }
  };
  return (hostname) => inTime(resolve(hostname), limit);
}

/** Rejects with a NameError, also when it takes too long; the look-up itself then ends by and by. */
function inTime(addresses: Promise<LookupAddress[]>, limit: number): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new NameError(reason));
    const timer = setTimeout(() => fail("the name servers did not answer in time"), limit);
    addresses
      .then(resolve, (error: unknown) => fail(error instanceof Error ? error.message : String(error)))
      .finally(() => clearTimeout(timer));
  });
}

/** A name of this machine or its own network, as of a container beside it: no public name is without a dot. */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return !name.includes(".") || name.endsWith(".localhost");
}

/** Asks for both kinds of addresses at once. */
function ask(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const found: LookupAddress[] = [];
    let open = 2;
    let others: NodeJS.Timeout | undefined;
    const end = (error: Error | null) => {
      clearTimeout(others);
      if (found.length > 0) resolve(found.toSorted((a, b) => a.family - b.family));
      else reject(error ?? new NameError(`${hostname} has no address`));
    };
    const onAnswer = (error: Error | null, addresses: string[]) => {
      open -= 1;
      if (error === null) found.push(...addresses.map((address) => ({ address, family: isIP(address) })));
      if (open === 0) end(error);
      else if (found.some(({ family }) => family === 4)) others = setTimeout(end, OTHERS_MILLISECONDS, null);
    };
    resolver.resolve4(hostname, onAnswer);
    resolver.resolve6(hostname, onAnswer);
  });
}

/** The system's look-up, for a few names at a time. */
class SystemNames {
  readonly #limit: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async resolve(hostname: string): Promise<LookupAddress[]> {
    const asked_at = performance.now();
    if (this.#running < SYSTEM_LOOKUPS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      // Nobody waits for it any more; those behind it are still in time.
      if (performance.now() - asked_at > this.#limit) throw new NameError("too many names were looked up");
      return await systemAddresses(hostname);
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}

function systemAddresses(hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => {
      if (error === null) resolve(addresses);
      else reject(error);
    });
  });
}
