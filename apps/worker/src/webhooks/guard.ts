import { type LookupAddress, Resolver, lookup as systemLookup } from "node:dns";
import { isIP } from "node:net";
import { isPublicAddress } from "@findersfee/domain/webhooks/address";

/** A delivery would have gone to an address that deliveries never go to. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
  readonly code = "BLOCKED_ADDRESS";
}

/** A name has no address, or its servers do not tell. */
export class NameError extends Error {
  override readonly name = "NameError";
  readonly code = "ENOTFOUND";
}

/** As `net.connect` wants it. */
export type Lookup = (
  hostname: string,
  options: { all?: boolean | undefined },
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
) => void;

export interface GuardOptions {
  allow_private: boolean;
  /** `127.0.0.1:5353`: instead of the system's name servers. */
  name_servers?: string[];
  timeout_milliseconds: number;
}

/**
 * Resolves names for connections, and refuses a name of which any address is not a public one. It is asked
 * for each connection, and the connection goes to an address that it gave, so that a name that changes its
 * answer gains nothing.
 *
 * Names are asked for with c-ares: the system's look-up has four threads for the whole process, so that a
 * few names whose servers do not answer would hold up all others. Only where private receivers are allowed,
 * for development, names from the system's own files are wanted.
 */
export function createLookup({ allow_private, name_servers, timeout_milliseconds }: GuardOptions): Lookup {
  if (allow_private && name_servers === undefined) return systemAddresses;
  const resolver = new Resolver({ timeout: Math.ceil(timeout_milliseconds / 3), tries: 2 });
  if (name_servers !== undefined) resolver.setServers(name_servers);
  return (hostname, options, callback) => {
    resolveAll(resolver, hostname).then(
      (addresses) => {
        const blocked = allow_private
          ? undefined
          : addresses.find(({ address }) => !isPublicAddress(address));
        if (blocked !== undefined) {
          const message = `${hostname} is ${blocked.address}, which is not a public address`;
          callback(new BlockedAddressError(message), []);
        } else answer(addresses, options, callback);
      },
      (error: unknown) => callback(error instanceof Error ? error : new NameError(String(error)), []),
    );
  };
}

const systemAddresses: Lookup = (hostname, options, callback) => {
  systemLookup(hostname, { all: true }, (error, addresses) => {
    if (error !== null) callback(error, []);
    else answer(addresses, options, callback);
  });
};

function answer(
  addresses: LookupAddress[],
  options: { all?: boolean | undefined },
  callback: Parameters<Lookup>[2],
): void {
  const [first] = addresses;
  if (first === undefined) callback(new NameError("the name has no address"), []);
  else if (options.all === true) callback(null, addresses);
  else callback(null, first.address, first.family);
}

async function resolveAll(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  const answers = await Promise.allSettled([
    resolve(resolver, "A", hostname),
    resolve(resolver, "AAAA", hostname),
  ]);
  const addresses = answers.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (addresses.length > 0) {
    return addresses.map((address) => ({ address, family: isIP(address) }));
  }
  const failed = answers.find((one) => one.status === "rejected");
  throw failed?.reason ?? new NameError(`${hostname} has no address`);
}

function resolve(resolver: Resolver, type: "A" | "AAAA", hostname: string): Promise<string[]> {
  return new Promise((done, failed) => {
    const callback = (error: Error | null, addresses: string[]) =>
      error === null ? done(addresses) : failed(error);
    if (type === "A") resolver.resolve4(hostname, callback);
    else resolver.resolve6(hostname, callback);
  });
}

/** What is wrong with a host that is an address itself, for which no look-up is made; null when nothing is. */
export function literalProblem(hostname: string): string | null {
  const host = hostname.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (isIP(host) !== 0 && !isPublicAddress(host)) return `${host} is not a public address`;
  return null;
}
