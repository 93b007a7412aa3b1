import { randomUUID } from "node:crypto";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { insertEvent } from "@findersfee/database/webhooks/events";
import { expect } from "vitest";
import { Continuity } from "../../src/continuity/continuity.ts";
import { newId } from "../../src/ids.ts";
import { createOrganization } from "../../src/organizations/create.ts";

const CHECK_NAME = "findersfee test";

export interface WatchOptions {
  organization_id: string;
  /** The folder of its memory. */
  kept?: string;
  reads?: boolean;
  prepare?: boolean;
}

/** A process on a database, as far as the check of the history is concerned. */
export class Watched {
  readonly database: Database;
  readonly continuity: Continuity;
  readonly lines: { level: string; message: string; reason?: string }[] = [];
  readonly #organization_id: string;

  private constructor(url: string, { organization_id, kept, reads = true, prepare = true }: WatchOptions) {
    this.#organization_id = organization_id;
    this.database = connect({ url, poolSize: 4, prepare, name: "findersfee watched" });
    const log = {
      info: (facts: object, message: string) => void this.lines.push({ level: "info", message, ...facts }),
      error: (facts: object, message: string) => void this.lines.push({ level: "error", message, ...facts }),
    };
    const options = { log, folder: kept ?? null, name: CHECK_NAME, seconds: 0.1 };
    this.continuity = new Continuity(this.database, options);
    this.continuity.guard(this.database, { reads });
  }

  static async open(url: string, options: WatchOptions): Promise<Watched> {
    const watched = new Watched(url, options);
    await watched.continuity.start();
    return watched;
  }

  /** Commits an event that the process knows of. */
  async commit(): Promise<string> {
    const id = await record(this.database, this.#organization_id);
    this.continuity.noteEvents([this.#organization_id]);
    return id;
  }

  /** The process delivers an event. */
  deliver(event_id: string): void {
    const delivery = { organization_id: this.#organization_id, event_id, endpoint_id: randomUUID() };
    this.continuity.noteDelivered([{ ...delivery, attempted_at: new Date() }]);
  }

  /** Resolves when a check has begun and ended: its statement is seen at the server. */
  async checked(): Promise<void> {
    const last = async () => {
      const [row] = await this.database<[{ at: Date | null }]>`
        select max(query_start) as at from pg_stat_activity
        where application_name = ${CHECK_NAME} and query like '%pg_is_in_recovery%'`;
      return row.at?.getTime() ?? 0;
    };
    for (let checks = 0; checks < 2; checks++) {
      const before = await last();
      await eventually(async () => expect(await last()).toBeGreaterThan(before));
    }
  }

  async close(): Promise<void> {
    await this.continuity.close();
    await this.database.end({ timeout: 5 });
  }
}

/** Creates an organization with an event, and returns its id. */
export async function createAcme(sql: Database): Promise<string> {
  const acme = { name: "Acme", currency: "USD", subscription_status: "active" } as const;
  const { organization_id } = await createOrganization(sql, acme);
  await record(sql, organization_id);
  return organization_id;
}

/** Commits an event. */
export async function record(sql: Database, organization_id: string): Promise<string> {
  const created_at = new Date();
  const id = newId(created_at);
  await insertEvent(sql, organization_id, { id, type: "referral.created", body: "{}", created_at });
  return id;
}
