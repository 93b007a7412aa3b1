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
 * Looks names up for connections, and refuses a name of which any address is not a public one. It is asked
 * for each connection, and the connection goes to an address that it gave, so that a name that changes its
 * answer gains nothing.
 */
export function createLookup(resolve: ResolveName, allow_private: boolean): Lookup {
  return (hostname, options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        const problem = allow_private ? null : addressesProblem(hostname, addresses);
        if (problem !== null) callback(problem, []);
        else answer(addresses, options, callback);
      },
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
