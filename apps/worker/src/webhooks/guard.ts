import type { LookupAddress } from "node:dns";
import { isPublicAddress } from "@findersfee/domain/webhooks/address";
import { NameError, type ResolveName } from "./resolve-name.ts";

/** A delivery would have gone to an address that deliveries never go to. */
export class BlockedAddressError extends Error {
  override readonly name = "BlockedAddressError";
}

/** As `net.connect` wants it. */
export type Lookup = (
  hostname: string,
  options: { all?: boolean | undefined },
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
) => void;

/**
 * Looks a name up, and rejects with a BlockedAddressError if any address of it is not a public one. Call it for
 * each connection, and connect to an address that it returned: a name that changes its answer then gains nothing.
 */
export function resolvePublic(resolve: ResolveName): ResolveName {
  return async (hostname) => {
    const addresses = await resolve(hostname);
    const problem = addressesProblem(hostname, addresses);
    if (problem !== null) throw problem;
    return addresses;
  };
}

/** Looks names up for `net.connect`. */
export function createLookup(resolve: ResolveName): Lookup {
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

/** Why no delivery goes to a name that is not looked up here, or null when one may. */
export function nameProblem(hostname: string): BlockedAddressError | null {
  const name = hostname.replace(/\.$/, "");
  if (name.includes(".") && !PRIVATE_NAME.test(name)) return null;
  return new BlockedAddressError(`${hostname} is not a public name`);
}

/** Why no delivery goes to an address, or null when one may. */
export function addressProblem(address: string): BlockedAddressError | null {
  return isPublicAddress(address) ? null : new BlockedAddressError(`${address} is not a public address`);
}

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
