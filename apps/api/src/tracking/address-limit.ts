import { hash, randomBytes } from "node:crypto";
import { DomainError } from "@findersfee/domain/errors";
import type { FastifyReply, FastifyRequest } from "fastify";

const MINUTE_MILLISECONDS = 60_000;
/** Of each row; a power of two. */
const SLOTS = 1 << 16;

/**
 * Counts what comes from each address against a limit per minute, in memory that does not grow with the
 * addresses. Each is counted in one slot of either row, and has made as many requests as the smaller of the
 * two says: a stranger in one of its slots does it no harm. Slots are chosen under a key, so nobody can aim at
 * somebody else's, and no address is kept.
 */
export function addressLimiter(
  limit: number,
): (address: string) => { refused: boolean; reset_seconds: number } {
  const key = randomBytes(16).toString("hex");
  const rows = [new Uint32Array(SLOTS), new Uint32Array(SLOTS)] as const;
  let ends_at = 0;
  return (address) => {
    const now = performance.now();
    if (now >= ends_at) {
      for (const row of rows) row.fill(0);
      ends_at = now + MINUTE_MILLISECONDS;
    }
    const digest = hash("sha256", key + networkOf(address), "buffer");
    const [first, second] = rows;
    const counts = [
      increment(first, digest.readUInt32LE(0) % SLOTS),
      increment(second, digest.readUInt32LE(4) % SLOTS),
    ];
    return { refused: Math.min(...counts) > limit, reset_seconds: Math.ceil((ends_at - now) / 1000) };
  };
}

function increment(row: Uint32Array, slot: number): number {
  const count = (row[slot] ?? 0) + 1;
  row[slot] = count;
  return count;
}

/** A hook that refuses addresses that are over the limit. */
export function limitAddresses(limit: number) {
  const count = addressLimiter(limit);
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const { refused, reset_seconds } = count(request.ip);
    if (!refused) {
      done();
      return;
    }
    reply.header("retry-after", reset_seconds);
    done(
      new DomainError("rate_limited", {
        message: "Too many requests from this address; try again after Retry-After seconds.",
      }),
    );
  };
}

/** An IPv4 address, or the network of an IPv6 one: there, a customer has at least a /64. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => "0");
  return [...before, ...zeros, ...after].slice(0, 4).join(":");
}

function groupsOf(text: string): string[] {
  return text.split(":").filter(Boolean);
}
