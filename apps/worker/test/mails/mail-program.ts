import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { MailServer, type ReceivedMail } from "../mail-server.ts";
import { mailSender, Program } from "../mailing.ts";

/** A program, the sender of its mails, and the server that receives them. */
export interface MailProgram {
  test: TestDatabase;
  program: Program;
  server: MailServer;
  /** Sends the due mails. */
  send: () => Promise<void>;
  /** Sends the due mails and returns the only one. */
  theMail: () => Promise<ReceivedMail>;
}

/** Gives each test of a file a new program with a mail server, in a database of the file. */
export function beforeEachInMailProgram(use: (mails: MailProgram) => void): void {
  let test: TestDatabase;
  let server: MailServer;
  let sender: ReturnType<typeof mailSender>;

  beforeAll(async () => {
    test = await createTestDatabase();
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    server = await MailServer.start();
    sender = mailSender(test, server);
    const send = () => sender.send();
    use({ test, program: await Program.create(test.database), server, send, theMail });
  });

  afterEach(async () => {
    await sender.close();
    await server.close();
    await test.database`delete from mails`;
  });

  async function theMail(): Promise<ReceivedMail> {
    await sender.send();
    const [mail, ...others] = server.received;
    if (mail === undefined) throw new Error("no mail has come");
    expect(others).toEqual([]);
    return mail;
  }
}
