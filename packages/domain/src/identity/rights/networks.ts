import { BlockList, isIP, isIPv4 } from "node:net";
import { invalidField } from "../../errors.ts";

/** Networks that requests may come from. */
export interface AllowedNetworks {
  includes(address: string): boolean;
}

/** Null: anywhere. */
export function allowedNetworks(networks: readonly string[] | null): AllowedNetworks | null {
  if (networks === null || networks.length === 0) return null;
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", length] = network.split("/");
    const family = isIPv4(address) ? "ipv4" : "ipv6";
    const longest = family === "ipv4" ? 32 : 128;
    list.addSubnet(address, length === undefined ? longest : Number(length), family);
  }
  return {
    // IPv4 addresses in IPv6 notation count as IPv4.
    includes(address) {
      const [plain = ""] = address.split("%");
      return isIP(plain) !== 0 && list.check(plain, isIPv4(plain) ? "ipv4" : "ipv6");
    },
  };
}

/**
 * Requires networks that Postgres can store as `cidr`.
 *
 * @throws DomainError `invalid_request` for the first one that is none
 */
export function requireNetworks(path: string, networks: readonly string[]): void {
  for (const [place, network] of networks.entries()) {
    if (isNetwork(network)) continue;
    throw invalidField(
      `${path}[${place}]`,
      "Must be an address or a network, as in 192.0.2.0/24 or 2001:db8::/32.",
    );
  }
}

function isNetwork(text: string): boolean {
  const [address = "", length, ...rest] = text.split("/");
  // A zone names an interface of this machine; an IPv4 address in IPv6 notation would never match.
  if (isIP(address) === 0 || address.includes("%") || /^::ffff:/i.test(address) || rest.length > 0)
    return false;
  if (length === undefined) return true;
  return /^\d{1,3}$/.test(length) && Number(length) <= (isIPv4(address) ? 32 : 128);
}
