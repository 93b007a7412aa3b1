import { randomUUID } from "node:crypto";
import { notifyDeliveries } from "@findersfee/database/delivery-shards";
import { claimMail } from "@findersfee/database/mails";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSendMail } from "../src/mail.ts";
import type { Worker } from "../src/worker.ts";
import { MailServer, type Refusal } from "./mail-server.ts";
import { FROM, hurryMails, mailSender, mailStates, Program } from "./mailing.ts";
import { paymentBody, storeGeneric } from "./processing.ts";
import { RawServer } from "./raw-server.ts";
import { startTestWorker, type TestWorkerOptions } from "./test-worker.ts";

let test: TestDatabase;
let server: MailServer;
let program: Program;
const workers: Worker[] = [];
const senders: ReturnType<typeof mailSender>[] = [];

beforeEach(async () => {
  test = await createTestDatabase();
  server = await MailServer.start();
  program = await Program.create(test.database);
});

afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.stop();
  for (const sender of senders.splice(0)) await sender.close();
  await server.close();
  await test.close();
});

function sender(...changes: [Parameters<typeof mailSender>[2]?]) {
  const made = mailSender(test, server, ...changes);
  senders.push(made);
  return made;
}

async function work(options: TestWorkerOptions = {}): Promise<Worker> {
  const worker = await startTestWorker(test, { mail: { smtp_url: server.url, from: FROM }, ...options });
  workers.push(worker);
  return worker;
}

async function approve(email: string): Promise<void> {
  const { id } = await program.affiliate(email, false);
  await updateAffiliate(program.context, { id, approved: true });
}

/** So many mails that are due. */
async function makeMails(count: number): Promise<void> {
  const ids = await program.makeProcessingPayouts(count);
  await movePayouts(program.context, { ids, status: "paid" });
}

function recipients(): string[] {
  return server.received.flatMap((mail) => mail.recipients).sort();
}

it("sends each mail once, however many workers send at the same time", async () => {
  await makeMails(150);
  await Promise.all([sender(), sender(), sender()].map(({ send }) => send()));
  expect(server.received).toHaveLength(150);
  expect(new Set(recipients()).size).toBe(150);
  expect(new Set(server.received.map(({ headers }) => headers["message-id"])).size).toBe(150);
  expect(new Set((await mailStates(test.database)).map(({ state }) => state))).toEqual(new Set(["sent"]));
});

it("sends by a worker's job what payments of a processor convert", async () => {
  const jane = await program.affiliate("jane@example.com");
  await program.refer(jane, "pays@example.org");
  await work();
  await work();
  const { organization_id } = program;
  const body = JSON.parse(paymentBody("m1", { payment_id: "p1", customer_id: "c1" }));
  body.data.email = "pays@example.org";
  await storeGeneric(test.database, organization_id, { m1: JSON.stringify(body) });
  await server.has(1);
  await eventually(async () => expect(await mailStates(test.database)).toMatchObject([{ state: "sent" }]));
  expect(server.received).toMatchObject([{ recipients: ["jane@example.com"] }]);
  expect(server.received[0]?.headers.subject).toBe("You earned $30.00 with Acme");
});

it("sends within seconds what an api process told the workers of", async () => {
  await work();
  await approve("jane@example.com");
  await notifyDeliveries(test.database, [program.organization_id]);
  await server.has(1);
});

it.each<Refusal>([
  { at: "connection", code: 421 },
  { at: "sender", code: 550 },
  { at: "recipient", code: 550 },
  { at: "message", code: 451 },
])("tries again when the mail server refuses the $at with $code", async (refusal) => {
  server.refusal = refusal;
  await approve("jane@example.com");
  const { send } = sender();
  await send();
  // Not before its time.
  await send();
  expect(server.connections).toBe(1);
  const [mail] = await mailStates(test.database);
  expect(mail).toMatchObject({
    state: "due",
    attempts: 1,
    reason: expect.stringContaining(`${refusal.code}`),
  });
  server.refusal = null;
  await hurryMails(test.database);
  await send();
  expect(await mailStates(test.database)).toMatchObject([{ state: "sent", attempts: 2, reason: null }]);
  expect(server.received).toHaveLength(1);
});

it("tells the others when one address is refused, and that one later, each once", async () => {
  await program.setOwners(["ann@example.com", "bob@example.org", "eve@example.net"]);
  const ids = await program.makeProcessingPayouts(3);
  await movePayouts(program.context, { ids, status: "failed" });
  server.refusal = { at: "recipient", code: 550, recipient: "ann@example.com" };
  const { send } = sender();
  await send();
  expect(recipients()).toEqual(["bob@example.org", "eve@example.net"]);
  server.refusal = null;
  await hurryMails(test.database);
  await send();
  expect(recipients()).toEqual(["ann@example.com", "bob@example.org", "eve@example.net"]);
});

it("waits longer after each failure, and gives up after the last attempt", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
  server.refusal = { at: "recipient", code: 550 };
  await approve("jane@example.com");
  const { send } = sender({ log });
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) {
    await send();
    const [row] = await test.database<{ pause: number }[]>`
      select extract(epoch from next_attempt_at - now())::float8 as pause from mails where attempts = ${attempt}`;
    pauses.push(row?.pause ?? 0);
    await hurryMails(test.database);
  }
  for (const [index, seconds] of [60, 300, 1800, 7200, 18_000, 36_000, 86_400].entries()) {
    expect(pauses[index]).toBeGreaterThan(seconds - 20);
    expect(pauses[index]).toBeLessThanOrEqual(seconds);
  }
  await send();
  expect(await mailStates(test.database)).toMatchObject([{ state: "given_up", attempts: 8 }]);
  expect(lines.at(-1)).toMatchObject({ level: 50, attempts: 8, organization_id: program.organization_id });
  // Neither who was to get it nor what it says.
  expect(JSON.stringify(lines)).not.toContain("Welcome");
  const { connections } = server;
  await hurryMails(test.database);
  await send();
  expect(server.connections).toBe(connections);
});

it("asks a mail server that is away no more than a few times at once, and loses nothing", async () => {
  await makeMails(50);
  const { port } = server;
  const { send } = sender();
  await server.close();
  await send();
  const tried = (await mailStates(test.database)).filter(({ attempts }) => attempts > 0);
  expect(tried.length).toBeGreaterThan(0);
  expect(tried.length).toBeLessThanOrEqual(10);
  for (const { state, reason } of tried) {
    expect(state).toBe("due");
    expect(reason).toContain("ECONNREFUSED");
  }
  server = await MailServer.start(port);
  await hurryMails(test.database);
  await send();
  expect(new Set(recipients()).size).toBe(50);
  expect(server.received).toHaveLength(50);
});

it("leaves a mail to the worker that has it, and sends it again by the same id when that one is dead", async () => {
  await approve("jane@example.com");
  // A worker that dies with it.
  const claimed = await claimMail(test.database, { claim_id: randomUUID(), lease_seconds: 600 });
  const { send } = sender();
  await send();
  expect(server.received).toEqual([]);
  await hurryMails(test.database);
  await send();
  expect(server.received.map(({ headers }) => headers["message-id"])).toEqual([
    `<${claimed?.id}@mail.example.com>`,
  ]);
  // One that dies after sending, before it is written down.
  await test.database`update mails set state = 'due', next_attempt_at = now(), settled_at = null`;
  await send();
  expect(server.received).toHaveLength(2);
  expect(new Set(server.received.map(({ headers }) => headers["message-id"])).size).toBe(1);
});

it("writes nothing over what others found out after its lease had ended", async () => {
  await approve("jane@example.com");
  let is_first = true;
  const send = createSendMail({ smtp_url: server.url, from: FROM }, pino({ level: "silent" }));
  const slow = sender({
    sendMail: async (mail) => {
      if (is_first) {
        is_first = false;
        // Its lease ends meanwhile, and another worker sends the mail.
        await hurryMails(test.database);
        await sender().send();
      }
      await send(mail);
    },
  });
  await slow.send();
  expect(await mailStates(test.database)).toMatchObject([{ state: "sent", attempts: 1 }]);
});

it("is not held up by a mail server that never says anything, nor loses the mail when it stops", async () => {
  const silent = await RawServer.start(() => {});
  await approve("jane@example.com");
  const worker = await work({ mail: { smtp_url: `smtp://127.0.0.1:${silent.port}`, from: FROM } });
  await test.database`select graphile_worker.add_job('send_mails', queue_name => 'mails')`;
  await eventually(() => expect(silent.connections).toBe(1));
  const asked_at = performance.now();
  await worker.stop();
  expect(performance.now() - asked_at).toBeLessThan(20_000);
  workers.splice(0);
  await silent.close();
  // A process would be gone by now; this one lives on, and sees its connection break.
  await eventually(async () =>
    expect(await mailStates(test.database)).toMatchObject([
      { state: "due", attempts: 1, reason: expect.stringContaining("Error") },
    ]),
  );
  await hurryMails(test.database);
  await sender().send();
  expect(recipients()).toEqual(["jane@example.com"]);
});

it("logs the mail instead without a mail server", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
  await approve("jane@example.com");
  await sender({ sendMail: createSendMail({ smtp_url: null, from: FROM }, log) }).send();
  expect(lines).toMatchObject([
    {
      to: ["jane@example.com"],
      text: expect.stringContaining("Welcome!"),
      msg: expect.stringContaining("SMTP_URL"),
    },
  ]);
  expect(lines[0]).not.toHaveProperty("html");
  expect(await mailStates(test.database)).toMatchObject([{ state: "sent" }]);
});

it("deletes what was settled long ago, and nothing that is still to be sent", async () => {
  for (const name of ["old", "young", "due"]) await approve(`${name}@example.com`);
  await sender().send();
  const of = (email: string) =>
    test.database`select id from affiliates where email = ${email}`.then(([row]) => String(row?.id));
  await test.database`
    update mails set settled_at = now() - interval '91 days' where affiliate_id = ${await of("old@example.com")}`;
  await test.database`
    update mails set settled_at = now() - interval '89 days' where affiliate_id = ${await of("young@example.com")}`;
  await test.database`
    update mails set state = 'due', settled_at = null, next_attempt_at = now() + interval '1 hour',
      created_at = now() - interval '91 days' where affiliate_id = ${await of("due@example.com")}`;
  await work();
  await test.database`select graphile_worker.add_job('keep_in_time')`;
  await eventually(async () => expect(await mailStates(test.database)).toHaveLength(2));
  expect((await mailStates(test.database)).map(({ state }) => state).sort()).toEqual(["due", "sent"]);
});
