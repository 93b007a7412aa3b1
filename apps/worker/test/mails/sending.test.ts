import { countUnsentMails } from "@findersfee/database/mails/unsent";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { FULL_TESTS } from "@findersfee/database/testing/full-tests";
import { notifyWorkers } from "@findersfee/database/work/shards";
import { updateAffiliate } from "@findersfee/domain/affiliates/update";
import { type LocalMail, LocalMailbox } from "@findersfee/domain/mails/local-mailbox";
import { movePayouts } from "@findersfee/domain/payouts/move";
import { pino } from "pino";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createSendMail } from "../../src/mails/send-mail.ts";
import type { Worker } from "../../src/worker.ts";
import { MailServer, type Refusal } from "../mail-server.ts";
import { FROM, hurryMails, mailSender, mailStates, Program } from "../mailing.ts";
import { paymentBody, storeGeneric } from "../processing.ts";
import { RawServer } from "../raw-server.ts";
import { startTestWorker, type TestWorkerOptions } from "../test-worker.ts";

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

/** Makes `count` due mails. */
async function makeMails(count: number): Promise<void> {
  const ids = await program.makeProcessingPayouts(count);
  await movePayouts(program.context, { ids, status: "paid" });
}

function recipients(): string[] {
  return server.received.flatMap((mail) => mail.recipients).sort();
}

it("sends each mail once with several concurrent workers", async () => {
  const count = FULL_TESTS ? 150 : 60;
  await Promise.all([work(), work(), work()]);
  await makeMails(count);
  await server.has(count);
  await eventually(async () =>
    expect((await mailStates(test.database)).every(({ state }) => state === "sent")).toBe(true),
  );
  expect(server.received).toHaveLength(count);
  expect(new Set(recipients()).size).toBe(count);
  expect(new Set(server.received.map(({ headers }) => headers["message-id"])).size).toBe(count);
  expect(new Set((await mailStates(test.database)).map(({ state }) => state))).toEqual(new Set(["sent"]));
});

it("sends mails for payments that a processor reports", async () => {
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

it("sends mails within seconds after a notification", async () => {
  await work();
  await approve("jane@example.com");
  await notifyWorkers(test.database, "events", [program.organization_id]);
  await server.has(1);
});

it.each<Refusal>([
  { at: "connection", code: 421 },
  { at: "sender", code: 550 },
  { at: "recipient", code: 550 },
  { at: "message", code: 451 },
])("retries a mail if the server rejects its $at with $code", async (refusal) => {
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
    failures: 1,
    reason: expect.stringContaining(`${refusal.code}`),
  });
  server.refusal = null;
  await hurryMails(test.database);
  await send();
  expect(await mailStates(test.database)).toMatchObject([{ state: "sent", failures: 1, reason: null }]);
  expect(server.received).toHaveLength(1);
});

it("sends to addresses that only some mail servers take, and says why not", async () => {
  const emails = ["a.b.@mail.example", "jane@m\u00fcller.example", "j\u00f6rg@m\u00fcller.example"];
  for (const email of emails) await approve(email);
  const { send } = sender();
  await send();
  // A name that RFC 5321 allows only in quotes.
  expect(recipients()).toEqual(['"a.b."@mail.example', ...emails.slice(1)]);
  server.refusal = { at: "recipient", code: 553, recipient: "k\u00f6ln@m\u00fcller.example" };
  await approve("k\u00f6ln@m\u00fcller.example");
  await approve("kim@example.com");
  await send();
  expect(recipients()).toContain("kim@example.com");
  const states = await mailStates(test.database);
  expect(states.filter(({ state }) => state !== "sent")).toMatchObject([
    { state: "due", failures: 1, reason: expect.stringContaining("553") },
  ]);
});

it("sends to the other recipients once if an address is rejected, and to that one later", async () => {
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

it("backs off after each failure and gives up after the last attempt", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
  server.refusal = { at: "recipient", code: 550 };
  await approve("jane@example.com");
  const { send } = sender({ log });
  const pauses: number[] = [];
  for (let attempt = 1; attempt <= 7; attempt++) {
    await send();
    const [row] = await test.database<{ pause: number }[]>`
      select extract(epoch from due_at - now())::float8 as pause from mails where failures = ${attempt}`;
    pauses.push(row?.pause ?? 0);
    await hurryMails(test.database);
  }
  for (const [index, seconds] of [60, 300, 1800, 7200, 18_000, 36_000, 86_400].entries()) {
    expect(pauses[index]).toBeGreaterThan(seconds - 20);
    expect(pauses[index]).toBeLessThanOrEqual(seconds);
  }
  await send();
  expect(await mailStates(test.database)).toMatchObject([{ state: "given_up", failures: 8 }]);
  expect(lines.at(-1)).toMatchObject({ level: 50, failures: 8, organization_id: program.organization_id });
  // Neither the recipient nor the text.
  expect(JSON.stringify(lines)).not.toContain("Welcome");
  const { connections } = server;
  await hurryMails(test.database);
  await send();
  expect(server.connections).toBe(connections);
});

it("limits connections to an unavailable mail server and loses no mail", async () => {
  await makeMails(50);
  const { port } = server;
  const { send } = sender();
  await server.close();
  await send();
  const tried = (await mailStates(test.database)).filter(({ failures }) => failures > 0);
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

it("sends a mail again with the same id if its worker dies before recording the result", async () => {
  await approve("jane@example.com");
  const { send } = sender();
  await send();
  await test.database`update mails set state = 'due', due_at = now(), finished_at = null`;
  await send();
  expect(server.received).toHaveLength(2);
  expect(new Set(server.received.map(({ headers }) => headers["message-id"])).size).toBe(1);
});

it.runIf(FULL_TESTS)("records no result after another worker has taken the shard", async () => {
  await approve("jane@example.com");
  const send = createSendMail({ smtp_url: server.url, from: FROM }, pino({ level: "silent" }));
  let attempts = 0;
  const slow = sender({
    sendMail: async (mail) => {
      attempts += 1;
      // During the call, another worker takes the shard and sends the mail.
      if (attempts === 1) await sender().send();
      await send(mail);
      throw new Error("the answer was lost");
    },
  });
  await slow.send();
  expect(attempts).toBe(1);
  expect(await mailStates(test.database)).toMatchObject([{ state: "sent", failures: 0, reason: null }]);
});

it.runIf(FULL_TESTS)("stops while a mail server is silent, without losing the mail", async () => {
  const silent = await RawServer.start(() => {});
  await approve("jane@example.com");
  const worker = await work({ mail: { smtp_url: `smtp://127.0.0.1:${silent.port}`, from: FROM } });
  await eventually(() => expect(silent.connections).toBe(1));
  const asked_at = performance.now();
  await worker.stop();
  expect(performance.now() - asked_at).toBeLessThan(20_000);
  workers.splice(0);
  await silent.close();
  // A process would be gone by now; this one lives on, and sees its connection break.
  await eventually(async () =>
    expect(await mailStates(test.database)).toMatchObject([
      { state: "due", failures: 1, reason: expect.stringContaining("Error") },
    ]),
  );
  await hurryMails(test.database);
  await sender().send();
  expect(recipients()).toEqual(["jane@example.com"]);
});

it("logs neither texts nor subjects of mails without a mail server: they have links and codes", async () => {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(JSON.parse(line)) });
  await approve("jane@example.com");
  await sender({ sendMail: createSendMail({ smtp_url: null, from: FROM }, log) }).send();
  expect(lines).toMatchObject([{ to: ["jane@example.com"], msg: expect.stringContaining("Set SMTP_URL") }]);
  expect(JSON.stringify(lines)).not.toMatch(/Welcome|subject/);
});

it("shows mails without a mail server in the mailbox alone, and counts them as not sent", async () => {
  const lines: string[] = [];
  const log = pino({ level: "warn" }, { write: (line) => lines.push(line) });
  const shown: LocalMail[] = [];
  const mailbox = new LocalMailbox((mail) => shown.push(mail));
  await approve("jane@example.com");
  await sender({ sendMail: createSendMail({ smtp_url: null, from: FROM, mailbox }, log) }).send();
  expect(shown).toMatchObject([{ to: "jane@example.com", text: expect.stringContaining("Welcome!") }]);
  const { organization } = program.context;
  expect(mailbox.list(organization.id)).toEqual(shown);
  expect(mailbox.list(crypto.randomUUID())).toEqual([]);
  expect(lines).toEqual([]);
  expect(await mailStates(test.database)).toMatchObject([
    { state: "dropped", reason: expect.stringContaining("SMTP_URL") },
  ]);
  expect(await countUnsentMails(test.database, organization.id, 10)).toEqual({
    count: 1,
    since: expect.any(Date),
  });
});

it("deletes old finished mails and no due ones", async () => {
  for (const name of ["old", "young", "due"]) await approve(`${name}@example.com`);
  await sender().send();
  const of = (email: string) =>
    test.database`select id from affiliates where email = ${email}`.then(([row]) => String(row?.id));
  await test.database`
    update mails set finished_at = now() - interval '91 days' where affiliate_id = ${await of("old@example.com")}`;
  await test.database`
    update mails set finished_at = now() - interval '89 days' where affiliate_id = ${await of("young@example.com")}`;
  await test.database`
    update mails set state = 'due', finished_at = null, due_at = now() + interval '1 hour',
      created_at = now() - interval '91 days' where affiliate_id = ${await of("due@example.com")}`;
  await work();
  await test.database`select graphile_worker.add_job('run_retention')`;
  await eventually(async () => expect(await mailStates(test.database)).toHaveLength(2));
  expect((await mailStates(test.database)).map(({ state }) => state).sort()).toEqual(["due", "sent"]);
});

it("sends mails to affiliates in the organization's name, quoted, whatever characters it has", async () => {
  const { send } = sender();
  const names = [
    ['Acme, Inc. "West"', '"Acme, Inc. \\"West\\"" <findersfee@mail.example.com>'],
    ["Acme\r\nBcc: eve@evil.example", FROM],
    ["Acme\r\nX-Evil: yes", '"Acme X-Evil: yes" <findersfee@mail.example.com>'],
    ["support@evil.example", FROM],
    ["Müller <b>", "Müller <b> <findersfee@mail.example.com>"],
  ] as const;
  for (const [index, [name, from]] of names.entries()) {
    await test.database`update organizations set name = ${name} where id = ${program.organization_id}`;
    await approve(`affiliate-${index}@example.com`);
    await send();
    const mail = server.received.at(-1);
    expect(mail?.headers.from).toBe(from);
    expect(mail?.headers).not.toHaveProperty("bcc");
    expect(mail?.headers).not.toHaveProperty("x-evil");
    expect(mail?.sender).toBe("findersfee@mail.example.com");
    expect(mail?.recipients).toEqual([`affiliate-${index}@example.com`]);
  }
});
