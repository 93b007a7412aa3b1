import type { LookupAddress } from "node:dns";
import { isPublicAddress } from "./address.ts";
import { DnsError, type DnsResolver } from "./dns-resolver.ts";

/** A delivery was blocked because its address is not public. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
}

/** The `lookup` option of `net.connect`. */
export type Lookup = (
  hostname: string,
  options: { all?: boolean | undefined },
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/**
 * Resolves a name, and rejects with a BlockedAddressError if one of its addresses is not public. Call it for each
 * connection, and connect to a returned address. This prevents DNS rebinding.
 */
export function resolvePublic(resolve: DnsResolver): DnsResolver {
  return async (hostname) => {
    const addresses = await resolve(hostname);
    const problem = addressesProblem(hostname, addresses);
    if (problem !== null) throw problem;
    return addresses;
  };
}

/** Creates a `lookup` function for `net.connect`. */
export function createLookup(resolve: DnsResolver): Lookup {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => answer(addresses, options, callback),
      (error: Error) => callback(error, []),
    );
  };
}

function addressesProblem(hostname: string, addresses: LookupAddress[]): BlockedAddressError | null {
  for (const { address } of addresses) {
    const problem = addressProblem(address);
    if (problem !== null) return new BlockedAddressError(`${hostname}: ${problem.message}`);
  }
  return null;
}

/** No public name is without a dot or ends like these (RFC 6761, 6762 and 8375; ICANN reserves `internal`). */
const PRIVATE_NAME = /\.(?:home\.arpa|internal|local|localhost)$/i;

/** Returns an error for a name that the proxy may not resolve; null: it may. */
export function nameProblem(hostname: string): BlockedAddressError | null {
  const name = hostname.replace(/\.$/, "");
  if (name.includes(".") && !PRIVATE_NAME.test(name)) return null;
  return new BlockedAddressError(`${hostname} is not a public name`);
}

/** Returns an error for an address that is not public; null: it is. */
export function addressProblem(address: string): BlockedAddressError | null {
  return isPublicAddress(address) ? null : new BlockedAddressError(`${address} is not a public address`);
}

function answer(
  addresses: LookupAddress[],
  options: { all?: boolean | undefined },
  callback: Parameters<Lookup>[2],
): void {
  const [first] = addresses;
  if (first === undefined) callback(new DnsError("the name has no address"), []);
  else if (options.all === true) callback(null, addresses);
  else callback(null, first.address, first.family);
}
