import { BlockList, isIPv4 } from "node:net";
import { parseUrl } from "@findersfee/contract/parse-url";

/*
 * Addresses that deliveries never go to, so that an endpoint's URL cannot reach into the operator's network. IPv4: the
 * special-purpose registry (RFC 6890) and Azure's 168.63.129.16.
 */
const PRIVATE_V4 = subnets("ipv4", [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
]);

const GLOBAL_V6 = subnets("ipv6", ["2000::/3"]);
const PRIVATE_V6 = subnets("ipv6", ["2001::/32", "2001:db8::/32", "2002::/16", "3fff::/20"]);

/** Prefixes with an IPv4 address in the last 32 bits, which then decides: v4-mapped, and NAT64 (RFC 6052). */
const AROUND_V4 = subnets("ipv6", ["::ffff:0:0/96", "64:ff9b::/96"]);

function subnets(family: "ipv4" | "ipv6", blocks: string[]): BlockList {
  const list = new BlockList();
  for (const block of blocks) {
    const [network = "", prefix] = block.split("/");
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

/** Whether an IP address, in any notation, is on the public internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !PRIVATE_V4.check(address, "ipv4");
  const groups = v6Groups(address);
  if (groups === null) return false;
  const plain = groups.map((group) => group.toString(16)).join(":");
  if (AROUND_V4.check(plain, "ipv6")) return isPublicAddress(lastAsV4(groups));
  return GLOBAL_V6.check(plain, "ipv6") && !PRIVATE_V6.check(plain, "ipv6");
}

/** The eight groups of an IPv6 address, or null if it is not one (or has a zone, which is never public). */
function v6Groups(address: string): number[] | null {
  const url = parseUrl(`http://[${address}]`);
  if (url === null) return null;
  const [head = "", tail = ""] = url.hostname.slice(1, -1).split("::");
  const [first, last] = [head, tail].map((part) => (part === "" ? [] : part.split(":")));
  if (first === undefined || last === undefined) return null;
  const zeros = Array.from({ length: 8 - first.length - last.length }, () => "0");
  return [...first, ...zeros, ...last].map((group) => Number.parseInt(group, 16));
}

function lastAsV4(groups: number[]): string {
  return groups
    .slice(-2)
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}
