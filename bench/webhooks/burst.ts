/*
 * Question: how much later do an organization's single events arrive while another one has 30,000 deliveries
 * due to slow endpoints?
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "@findersfee/database/postgres/connect";
import type { Bench } from "../bench.ts";
import { type Verdict, whole } from "../table.ts";
import { fillDeliveries, makeOrganization, subscribe } from "./subscribers.ts";
import { measureUnderLoad } from "./under-load.ts";

const DELIVERIES = 30_000;
/** Each takes 900 ms to respond. */
const ENDPOINTS = 60;
/** Long enough to include the first attempts of the burst. */
const DUE_SECONDS = 4;

/** Question 7. */
export function measureBurst(bench: Bench): Promise<Verdict[]> {
  return measureUnderLoad(bench, 7, {
    name: `${whole(DELIVERIES)} of another organization are due`,
    make: makeBurst,
    left: { name: "still due", count: countDue },
  });
}

async function makeBurst(sql: Database, { port }: { port: number }): Promise<void> {
  const organization_id = await makeOrganization(sql);
  const urls = Array.from({ length: ENDPOINTS }, (_, number) => `http://127.0.0.1:${port}/slow/${number}`);
  await subscribe(sql, organization_id, urls);
  const due_at = performance.now() + DUE_SECONDS * 1000;
  await fillDeliveries(sql, {
    per_endpoint: DELIVERIES / ENDPOINTS,
    due_seconds: DUE_SECONDS,
    organization_id,
  });
  await delay(Math.max(0, due_at - performance.now()));
}

async function countDue(sql: Database): Promise<number> {
  const [row] = await sql<[{ count: number }]>`
    select count(*)::int as count from pending_deliveries where due_at <= now()`;
  return row.count;
}
