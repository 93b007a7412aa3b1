/* Mails while calls of their sender to Postgres fail. */

import type { Database } from "@findersfee/database/postgres/connect";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall } from "@findersfee/database/testing/faults/each-call";
import { FaultyPostgres } from "@findersfee/database/testing/faults/faulty-postgres";
import type { FaultKind } from "@findersfee/database/testing/faults/kinds";
import { casesOf } from "@findersfee/database/testing/full-tests";
import { expect, it } from "vitest";
import { mails } from "../../src/mails/consumer.ts";
import type { Consumer } from "../../src/work/consumer.ts";
import { MailServer } from "../mail-server.ts";
import { mailDependencies, mailSender, mailStates, Program } from "../mailing.ts";
import { runTurns } from "../turns.ts";

const TRANSIENT: FaultKind[] = ["cut_before", "cut_after", "disk_full"];

interface Mailing {
  test: TestDatabase;
  server: MailServer;
  /** Makes this many mails due; returns their recipients. */
  makeDue: (count: number, name: string) => Promise<string[]>;
}

async function withMailing(use: (mailing: Mailing) => Promise<void>): Promise<void> {
  const test = await createTestDatabase();
  const server = await MailServer.start();
  try {
    const program = await Program.create(test.database);
    const makeDue = async (count: number, name: string) => {
      const emails = Array.from({ length: count }, (_, number) => `${name}-${number}@example.com`);
      for (const email of emails) await program.convert(await program.affiliate(email));
      return emails;
    };
    await use({ test, server, makeDue });
  } finally {
    await server.close();
    await test.close();
  }
}

/** Repeats the turn until it succeeds, as a worker does. */
async function sendAll(owner: Database, consumer: Consumer): Promise<void> {
  for (let failed = true; failed; ) {
    failed = await runTurns(owner, consumer).then(
      () => false,
      () => true,
    );
  }
}

it.concurrent.each(casesOf(TRANSIENT, { short: 1 }))(
  "sends each mail once, at its first attempt, with %s at any call",
  async (kind) => {
    await withMailing(async ({ test, server, makeDue }) => {
      await failEachCall(test.url, kind, async (database, number) => {
        const emails = await makeDue(2, `${number}`);
        server.received.length = 0;
        await sendAll(test.database, mails(mailDependencies(server, { database })));
        expect(server.received.flatMap(({ recipients }) => recipients).sort()).toEqual(emails);
      });
      const states = await mailStates(test.database);
      expect(states.length).toBeGreaterThan(2);
      expect(states.filter(({ state, failures }) => state !== "sent" || failures > 0)).toEqual([]);
    });
  },
);

it.concurrent("sends the remaining mails of a turn that stopped during an outage", async () => {
  await withMailing(async ({ test, server, makeDue }) => {
    const faulty = await FaultyPostgres.before(test.url);
    const { send, close } = mailSender({ url: faulty.url }, server);
    try {
      const emails = await makeDue(3, "jane");
      const stopping = new AbortController();
      faulty.follow(({ sql }) => {
        if (!sql.includes("from affiliates")) return null;
        stopping.abort();
        return "disk_full";
      });
      await expect(send(stopping.signal)).rejects.toThrow("fault");
      faulty.lift();
      await send();
      expect(server.received.flatMap(({ recipients }) => recipients).sort()).toEqual(emails);
    } finally {
      await close();
      await faulty.close();
    }
  });
});

it.concurrent("counts a permanent error as a failed attempt of its mail only", async () => {
  await withMailing(async ({ test, server, makeDue }) => {
    const faulty = await FaultyPostgres.before(test.url);
    const { send, close } = mailSender({ url: faulty.url }, server);
    try {
      await makeDue(30, "jane");
      let calls = 0;
      faulty.follow(({ sql }) => (sql.includes("from affiliates") && ++calls === 3 ? "error_before" : null));
      await send();
    } finally {
      await close();
      await faulty.close();
    }
    const states = await mailStates(test.database);
    expect(states.filter(({ state }) => state === "sent")).toHaveLength(29);
    expect(states.filter(({ state }) => state === "due")).toMatchObject([{ failures: 1 }]);
  });
});
