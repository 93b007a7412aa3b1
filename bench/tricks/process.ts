/* Question: what do caches and shortcuts inside a process save? */
import { createHash, createHmac, hash, randomFillSync } from "node:crypto";
import type { Database } from "@findersfee/database/postgres/connect";
import { linkUrl } from "@findersfee/domain/affiliates/view";
import { newId } from "@findersfee/domain/ids";
import { hashVisitor } from "@findersfee/domain/tracking/visitor";
import type { Bench } from "../bench.ts";
import { withConnection } from "../postgres-server.ts";
import { compareTricks, formatTricks, type Trick } from "./compare.ts";

/** Question 3. */
export async function measureProcess(bench: Bench): Promise<void> {
  const url = await bench.server.createDatabase();
  await withConnection(url, async (sql: Database) => {
    bench.print(formatTricks("in the process", await compareTricks(sql, tricks(), bench.quick ? 2 : 5)));
  });
}

/** The work of a call is done this often, since a call of the fastest ones takes less than a microsecond. */
const TIMES = 100;

function tricks(): Trick[] {
  const at = new Date();
  const visitor = {
    address: "203.0.113.7",
    user_agent: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36",
  };
  const key = "0123456789abcdef".repeat(4);
  const text = `${key}${visitor.address}`;
  let number = 0;
  const bytes = Buffer.alloc(16);
  const trick = (name: string, used: () => unknown, spared: () => unknown): Trick => {
    const often = (work: () => unknown) => () => {
      for (let time = 0; time < TIMES; time++) work();
    };
    return { name: `${TIMES} times ${name}`, with: often(used), without: often(spared) };
  };
  return [
    trick(
      "random bytes of 256 ids at once",
      () => newId(at),
      () => {
        randomFillSync(bytes);
        newId(at);
      },
    ),
    trick(
      "cached link",
      () => linkUrl("https://example.com/", "jane"),
      () => linkUrl(`https://example.com/${number++}`, "jane"),
    ),
    trick(
      "hash to hex instead of a buffer",
      () => hash("sha256", text, "hex"),
      () => hash("sha256", text, "buffer"),
    ),
    trick(
      "hash() instead of createHash()",
      () => hash("sha256", text, "hex"),
      () => createHash("sha256").update(text).digest("hex"),
    ),
    trick(
      "hash of a visitor instead of an HMAC",
      () => hashVisitor(key, visitor, at),
      () =>
        createHmac("sha256", key)
          .update(`20000\n${visitor.address}\n${visitor.user_agent}`)
          .digest("hex")
          .slice(0, 32),
    ),
  ];
}
