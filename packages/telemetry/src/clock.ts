import { clockOffset } from "@findersfee/database/postgres/clock";
import type { Database } from "@findersfee/database/postgres/connect";
import type { DatabaseGauges } from "./database-gauges.ts";

/** Shows how far the clock of the process is ahead of the database's. A process has one such gauge. */
export function showClock(gauges: DatabaseGauges, database: Database): void {
  gauges.show("clock", async () => ({ seconds: await clockOffset(database) }), { gauges: CLOCK });
}

const CLOCK = [
  {
    name: "findersfee_clock_offset_seconds",
    help: "How far the clock of the process is ahead of the database's.",
    value: ({ seconds }: { seconds: number }) => seconds,
  },
];
