/* Question: what do batches, arrays as text, prepared statements, constant texts and the pool's order save? */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { insertCommissions } from "@findersfee/database/commissions/creation";
import { findReferral } from "@findersfee/database/customers/referrals";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { CLICKS, makePartitions } from "@findersfee/database/postgres/partitions";
import { arrayText, plainArrayText } from "@findersfee/database/postgres/statement";
import { type ClickRow, insertClicks } from "@findersfee/database/tracking/clicks";
import { findLinkCodes } from "@findersfee/database/tracking/link-codes";
import { PAYMENT_KEYS } from "@findersfee/domain/attribution/facts/fact-names";
import { newId } from "@findersfee/domain/ids";
import type { Bench } from "../bench.ts";
import { POOL_SIZE, withConnection } from "../postgres-server.ts";
import { makeProgram, type Program } from "../program.ts";
import { newCreation } from "./commission.ts";
import { compareTricks, formatTricks, type Trick } from "./compare.ts";

/** Question 2. */
export async function measureBatches(bench: Bench): Promise<void> {
  const program = await makeProgram(await bench.server.createDatabase(), bench.quick ? 5_000 : 50_000);
  const { database_url } = program;
  await withConnection(database_url, async (sql) => {
    await makePartitions(sql, CLICKS, { ahead: 0 });
    const unprepared = connect({ url: database_url, poolSize: 1, prepare: false, name: "findersfee bench" });
    const pools = await openPools(bench.folder, database_url);
    try {
      const tricks = [
        ...statementTricks(program, sql, unprepared),
        ...batchTricks(program, sql),
        poolTrick(program, pools),
      ];
      bench.print(
        formatTricks("batches and statements", await compareTricks(sql, tricks, bench.quick ? 2 : 5)),
      );
    } finally {
      await Promise.all([unprepared, pools.used, pools.spared].map((pool) => pool.end()));
    }
  });
}

function pickOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** Sends each statement without a name, so that Postgres parses and plans it again. */
function unnamed(sql: Database): Database {
  return new Proxy(sql, {
    get: (target, name) =>
      name === "unsafe"
        ? (text: string, values: never[]) => target.unsafe(text, values, { prepare: false })
        : Reflect.get(target, name),
  });
}

function statementTricks(
  { organization_id, referral_ids, affiliate_ids }: Program,
  sql: Database,
  unprepared: Database,
): Trick[] {
  const creation = () =>
    newCreation({ referral_id: pickOf(referral_ids), affiliate_id: pickOf(affiliate_ids) });
  const insert = (through: Database) =>
    insertCommissions(through, organization_id, {
      creations: [creation()],
      expired_before: new Date(0),
      payment_keys: PAYMENT_KEYS,
    });
  const spared = unnamed(unprepared);
  const rows = (count: number) =>
    Array.from({ length: count }, () => ({
      id: newId(new Date()),
      at: new Date(),
      amount: "3000",
      text: "pi_1234567890",
    }));
  const asArrays = (count: number) => () => {
    const made = rows(count);
    return sql.unsafe(
      "select count(distinct (id, at, amount, text)) from unnest($1::text::uuid[], $2::text::timestamptz[], $3::text::bigint[], $4::text::text[]) as row (id, at, amount, text)",
      [
        made.map(({ id }) => id),
        made.map(({ at }) => at),
        made.map(({ amount }) => amount),
        made.map(({ text }) => text),
      ].map(arrayText),
      { prepare: true },
    );
  };
  const asJson = (count: number) => () =>
    sql.unsafe(
      "select count(distinct (id, at, amount, text)) from json_to_recordset($1::text::json) as row (id uuid, at timestamptz, amount bigint, text text)",
      [JSON.stringify(rows(count))],
      { prepare: true },
    );
  const ids = Array.from({ length: 100 }, () => newId(new Date()));
  return [
    {
      name: "prepared: a referral",
      with: () => findReferral(sql, organization_id, pickOf(referral_ids)),
      without: () => findReferral(spared, organization_id, pickOf(referral_ids)),
    },
    { name: "prepared: insert of a commission", with: () => insert(sql), without: () => insert(spared) },
    {
      name: "constant text: insert of a commission",
      with: () => insert(sql),
      without: () => insert(inFragments(sql)),
    },
    ...[1, 16, 100].map((count) => ({
      name: `arrays instead of JSON: ${count} rows`,
      with: asArrays(count),
      without: asJson(count),
    })),
    { name: "plainArrayText: 100 ids", with: () => plainArrayText(ids), without: () => arrayText(ids) },
  ];
}

/** Sends a statement as a template of 20 nested fragments. */
function inFragments(sql: Database): Database {
  const template = (texts: string[], values: unknown[]) =>
    (sql as unknown as (strings: object, ...values: unknown[]) => Promise<unknown>)(
      Object.assign([...texts], { raw: texts }),
      ...values,
    );
  return new Proxy(sql, {
    get: (target, name) => {
      if (name !== "unsafe") return Reflect.get(target, name);
      return (text: string, values: unknown[]) => {
        const parts = text.split(/\$(\d+)/);
        const size = Math.ceil(parts.length / 2 / 20);
        const fragments: unknown[] = [];
        for (let from = 0; from * 2 < parts.length; from += size) {
          const chunk = parts.slice(from * 2, (from + size) * 2);
          const ends_in_text = chunk.length % 2 === 1;
          const texts = chunk.filter((_, index) => index % 2 === 0);
          const numbers = chunk.filter((_, index) => index % 2 === 1).map(Number);
          fragments.push(
            template(
              ends_in_text ? texts : [...texts, ""],
              numbers.map((number) => values[number - 1]),
            ),
          );
        }
        return template(["", ...fragments.slice(1).map(() => ""), ""], fragments);
      };
    },
  });
}

function batchTricks(
  { organization_id, referral_ids, affiliate_ids, codes }: Program,
  sql: Database,
): Trick[] {
  const batch = <Item>(
    name: string,
    count: number,
    make: () => Item,
    write: (items: Item[]) => Promise<unknown>,
  ): Trick => ({
    name: `batch: ${count} ${name}`,
    with: () => write(Array.from({ length: count }, make)),
    without: async () => {
      for (let number = 0; number < count; number++) await write([make()]);
    },
  });
  const newClick = (): ClickRow => {
    const clicked_at = new Date();
    const id = newId(clicked_at);
    return {
      organization_id,
      id,
      affiliate_id: pickOf(affiliate_ids),
      code: "jane",
      visitor_hash: id.replaceAll("-", ""),
      network_hash: null,
      landing_url: "https://example.com/",
      referrer: null,
      sub_id: null,
      country: null,
      clicked_at,
    };
  };
  const creation = () =>
    newCreation({ referral_id: pickOf(referral_ids), affiliate_id: pickOf(affiliate_ids) });
  const insertAll = (creations: ReturnType<typeof creation>[]) =>
    insertCommissions(sql, organization_id, {
      creations,
      expired_before: new Date(0),
      payment_keys: PAYMENT_KEYS,
    });
  return [
    batch("commissions", 4, creation, insertAll),
    batch("commissions", 16, creation, insertAll),
    batch("clicks", 16, newClick, (clicks) => insertClicks(sql, clicks)),
    batch("clicks", 100, newClick, (clicks) => insertClicks(sql, clicks)),
    batch(
      "link codes",
      16,
      () => ({ organization_id, code: pickOf(codes) }),
      (keys) => findLinkCodes(sql, keys),
    ),
  ];
}

/** Two pools: one takes the connection that was used last, the other one the connection that was used first. */
async function openPools(folder: string, url: string): Promise<{ used: Database; spared: Database }> {
  const source = fileURLToPath(new URL("../../packages/database/node_modules/postgres/src", import.meta.url));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  const open = async (take: string): Promise<Database> => {
    const copy = join(folder, take);
    await cp(source, copy, { recursive: true });
    const text = await readFile(join(copy, "index.js"), "utf8");
    if (!text.includes("open.pop()")) throw new Error("the pool does not take the last connection");
    await writeFile(join(copy, "index.js"), text.replace("open.pop()", `open.${take}()`));
    const { default: postgres } = await import(pathToFileURL(join(copy, "index.js")).href);
    return postgres(url, { max: 2 * POOL_SIZE, max_pipeline: 0, fetch_types: false });
  };
  return { used: await open("pop"), spared: await open("shift") };
}

function poolTrick(
  { organization_id, referral_ids }: Program,
  { used, spared }: { used: Database; spared: Database },
): Trick {
  const eight = (pool: Database) => async () => {
    const client = async () => {
      for (let count = 0; count < 20; count++)
        await findReferral(pool, organization_id, pickOf(referral_ids));
    };
    await Promise.all(Array.from({ length: 8 }, client));
  };
  return {
    name: "last used connection: 8 clients, 20 connections",
    with: eight(used),
    without: eight(spared),
  };
}
