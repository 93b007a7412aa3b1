import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The client's network, cached by `networkOf`; null before. */
    network: string | null;
    /** `ip`, of which each read parses the addresses of proxies, cached by `ipOf`; null before. */
    cached_ip: string | null;
  }
}

function ipOf(request: FastifyRequest): string {
  request.cached_ip ??= request.ip;
  return request.cached_ip;
}

/** The network that a request counts for in limits per address. */
export function networkOf(request: FastifyRequest): string {
  request.network ??= networkOfAddress(ipOf(request));
  return request.network;
}

/**
 * The network that a request counts for in shares of scarce places: an IPv4 /24 or an IPv6 /48, the size that
 * one customer of a provider can have.
 */
export function wideNetworkOf(request: FastifyRequest): string {
  const parts = networkOf(request).split(/([.:])/);
  return parts.slice(0, 5).join("");
}

/** The client's address. Some proxies include the port, which differs for each connection. */
export function addressOf(request: FastifyRequest): string {
  return withoutPort(ipOf(request));
}

/** An IPv4 address, or the /64 of an IPv6 address, the least that a customer gets. */
export function networkOfAddress(reported: string): string {
  const address = withoutPort(reported);
  if (!address.includes(":")) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after].slice(0, 4).join(":");
}

function withoutPort(reported: string): string {
  if (!reported.includes(":")) return reported;
  const [, bracketed, ipv4] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(reported) ?? [];
  return bracketed ?? ipv4 ?? reported;
}

/** The groups without leading zeros. */
function groupsOf(text: string): string[] {
  return text
    .split(":")
    .filter(Boolean)
    .map((group) => group.replace(/^0+(?=.)/, ""));
}
