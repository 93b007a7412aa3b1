import { type LookupAddress, lookup, Resolver } from "node:dns";
import { isIP } from "node:net";

/** A name has no address, or its name servers do not respond. */
export class DnsError extends Error {
  override readonly name = "DnsError";
}

export type DnsResolver = (hostname: string) => Promise<LookupAddress[]>;

export interface DnsOptions {
  /** Name servers to use instead of the system's, such as `127.0.0.1:5353`. */
  name_servers?: string[];
  /** Whether to resolve names that only this machine knows, such as those of its hosts file. */
  local_names: boolean;
  /** The deadline of a whole attempt. Resolving a name takes at most two thirds of it. */
  timeout_milliseconds: number;
}

/** Some name servers never respond for IPv6. IPv6 addresses have this long after the IPv4 addresses arrive. */
const IPV6_GRACE_MILLISECONDS = 100;
/** Concurrent look-ups by the system, of the four threads that the process has for files, passwords and names. */
const SYSTEM_LOOKUPS = 2;
/** Errors after which this machine may know the name itself: the name servers responded, or there are none. */
const UNKNOWN_NAME = new Set(["ENOTFOUND", "ENODATA", "ECONNREFUSED", "ESERVFAIL", "EREFUSED"]);

/**
 * Creates a function that returns all addresses of a name, IPv4 first, and rejects with a DnsError.
 *
 * It uses c-ares. The system's look-up blocks one of the four threads of the process, so a few names with silent name
 * servers would block all others. If local names are allowed, names that c-ares does not find are looked up by the
 * system, at most two at a time.
 */
export function createDnsResolver(options: DnsOptions): DnsResolver {
  const { name_servers, local_names, timeout_milliseconds } = options;
  const resolver = new Resolver({ timeout: Math.ceil(timeout_milliseconds / 6), tries: 3 });
  if (name_servers !== undefined) resolver.setServers(name_servers);
  const limit = (timeout_milliseconds * 2) / 3;
  const system = new SystemNames(limit);
  const resolve = async (hostname: string) => {
    if (local_names && isLocalName(hostname)) return await system.resolve(hostname);
    try {
      return await query(resolver, hostname);
    } catch (error) {
      if (!local_names || !(error instanceof Error && "code" in error)) throw error;
      if (!UNKNOWN_NAME.has(String(error.code))) throw error;
      return await system.resolve(hostname);
    }
  };
  return (hostname) => inTime(resolve(hostname), limit);
}

/** Rejects with a DnsError, also after the time limit. The look-up itself ends later. */
function inTime(addresses: Promise<LookupAddress[]>, limit: number): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new DnsError(reason));
    const timer = setTimeout(() => fail("the name servers did not answer in time"), limit);
    addresses
      .then(resolve, (error: unknown) => fail(error instanceof Error ? error.message : String(error)))
      .finally(() => clearTimeout(timer));
  });
}

/** Whether a name belongs to this machine or its network, such as that of another container: public names have a dot. */
function isLocalName(hostname: string): boolean {
  const name = hostname.replace(/\.$/, "");
  return !name.includes(".") || name.endsWith(".localhost");
}

/** Queries IPv4 and IPv6 addresses concurrently. */
function query(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    const found: LookupAddress[] = [];
    let open = 2;
    let grace: NodeJS.Timeout | undefined;
    const end = (error: Error | null) => {
      clearTimeout(grace);
      if (found.length > 0) resolve(found.toSorted((a, b) => a.family - b.family));
      else reject(error ?? new DnsError(`${hostname} has no address`));
    };
    const onAnswer = (error: Error | null, addresses: string[]) => {
      open -= 1;
      if (error === null) found.push(...addresses.map((address) => ({ address, family: isIP(address) })));
      if (open === 0) end(error);
      else if (found.some(({ family }) => family === 4))
        grace = setTimeout(end, IPV6_GRACE_MILLISECONDS, null);
    };
    resolver.resolve4(hostname, onAnswer);
    resolver.resolve6(hostname, onAnswer);
  });
}

/** Looks names up by the system, a few at a time. */
class SystemNames {
  readonly #limit: number;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  async resolve(hostname: string): Promise<LookupAddress[]> {
    const queued_at = performance.now();
    if (this.#running < SYSTEM_LOOKUPS) this.#running += 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      // The caller has timed out; later look-ups are still in time.
      if (performance.now() - queued_at > this.#limit) throw new DnsError("too many names were looked up");
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
