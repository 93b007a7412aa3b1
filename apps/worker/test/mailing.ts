import type { Affiliate } from "@findersfee/contract/affiliates/affiliates";
import { connect, type Database } from "@findersfee/database/postgres/connect";
import { type TestDatabase, withoutTriggers } from "@findersfee/database/testing";
import { OPERATOR } from "@findersfee/domain/actor";
import { createAffiliate } from "@findersfee/domain/affiliates/create";
import { createCampaign } from "@findersfee/domain/campaigns/create";
import { CommissionBatchWriter } from "@findersfee/domain/commissions/batch-writer";
import { type CreationContext, createCommission } from "@findersfee/domain/commissions/create";
import { createReferral } from "@findersfee/domain/customers/referrals/create";
import { startPayoutRun } from "@findersfee/domain/payouts/runs/start";
import { workPayoutRuns } from "@findersfee/domain/testing/work";
import { pino } from "pino";
import { expect } from "vitest";
import { type MailDependencies, mails } from "../src/mails/consumer.ts";
import { createSendMail } from "../src/mails/send-mail.ts";
import type { MailServer, ReceivedMail } from "./mail-server.ts";
import { setOwners } from "./owners.ts";
import { makeOrganization, SECRETS_KEY } from "./subscriptions.ts";
import { runTurns } from "./turns.ts";

export const FROM = "Findersfee <findersfee@mail.example.com>";
export const PUBLIC_URL = "https://partners.example.com/findersfee";

/** An organization with a campaign that requires approval, and the affiliates' actions in it. */
export class Program {
  readonly context: CreationContext;
  readonly organization_id: string;
  readonly campaign_id: string;
  #referrals = 0;

  private constructor(context: CreationContext, campaign_id: string) {
    this.context = context;
    this.organization_id = context.organization.id;
    this.campaign_id = campaign_id;
  }

  static async create(database: Database): Promise<Program> {
    const id = await makeOrganization(database);
    const organization = { id, currency: "USD", subscription_status: "active" } as const;
    const context: CreationContext = {
      database,
      organization,
      actor: OPERATOR,
      idempotency: null,
      commission_writer: new CommissionBatchWriter(database),
      notifyWorkers: () => {},
    };
    const campaign = await createCampaign(context, {
      name: "Partners",
      commission_type: "percentage",
      commission_amount: 30,
      code_mode: "link",
      website_url: "https://example.com",
      is_default: true,
      approval_needed: true,
      welcome_message: "Welcome!\n\nAsk <ann@example.com> & enjoy.",
    });
    return new Program(context, campaign.id);
  }

  /** An affiliate who has agreed. */
  async affiliate(email: string, approved = true): Promise<Affiliate> {
    const affiliate = await this.stranger(email, approved);
    await this.context.database`update affiliates set agreed_at = now() where id = ${affiliate.id}`;
    return affiliate;
  }

  /** An affiliate that the organization added, and who has not agreed. */
  async stranger(email: string, approved = true): Promise<Affiliate> {
    const [first_name = ""] = email.split("@");
    return await createAffiliate(this.context, { email, first_name, last_name: "Doe", approved });
  }

  async refer({ id: affiliate_id }: Affiliate, email = `customer-${++this.#referrals}@example.org`) {
    return await createReferral(this.context, { affiliate_id, email, subscription_status: "active" });
  }

  /** A commission of 30 dollars that may be paid at once. */
  async pay(referral_id: string): Promise<void> {
    await createCommission(this.context, {
      referral_id,
      revenue_amount: 100,
      commission_amount: 30,
      referral_date: "2026-01-02T00:00:00.000Z",
    });
  }

  /** A referral that has paid. */
  async convert(affiliate: Affiliate, email?: string): Promise<string> {
    const { id } = await this.refer(affiliate, email);
    await this.pay(id);
    return id;
  }

  /** Puts due commissions into payouts; returns their ids. */
  async runPayouts(): Promise<string[]> {
    await startPayoutRun(this.context, { method: "manual" });
    await workPayoutRuns(this.context.database, new AbortController().signal);
    const rows = await this.context.database<{ id: string }[]>`
      select id from payouts where organization_id = ${this.organization_id} order by id`;
    return rows.map(({ id }) => id);
  }

  /** Makes `count` payouts in processing, each of another affiliate, without commissions. */
  async makeProcessingPayouts(count: number): Promise<string[]> {
    const { database } = this.context;
    const { id } = await this.affiliate("template@example.com");
    const rows = await withoutTriggers(
      database,
      (sql) => sql<{ id: string }[]>`
      with affiliate as (
        insert into affiliates
        select (jsonb_populate_record(affiliates, jsonb_build_object(
          'id', gen_random_uuid(), 'email', 'affiliate-' || number || '@example.com'))).*
        from affiliates cross join generate_series(1, ${count}) as number
        where organization_id = ${this.organization_id} and id = ${id}
        returning organization_id, id, email
      )
      insert into payouts (organization_id, id, affiliate_id, affiliate_name, payout_email, amount_minor, currency,
        period, payment_count, status, method, created_at, status_at, status_by)
      select organization_id, gen_random_uuid(), id, 'Of ' || email, email, 12000, 'USD', '2026-10', 1, 'processing',
        'paypal', now(), now(), 'test'
      from affiliate returning id`,
    );
    return rows.map((row) => row.id);
  }

  async setOwners(emails: string[]): Promise<void> {
    await setOwners(this.context.database, this.organization_id, emails);
  }
}

export interface MailState {
  kind: string;
  state: string;
  /** Attempts that failed. */
  failures: number;
  reason: string | null;
}

export async function mailStates(database: Database): Promise<MailState[]> {
  return await database<MailState[]>`
    select kind, state, failures, reason from mails order by created_at, kind, recipient, about`;
}

/** Makes the mails due now that wait for their next attempt. */
export async function hurryMails(database: Database): Promise<void> {
  await database`update mails set due_at = now() where due_at is not null`;
}

/** The dependencies of a worker's consumer of mails. */
export function mailDependencies(
  server: MailServer,
  changes: Partial<MailDependencies> & Pick<MailDependencies, "database">,
): MailDependencies {
  const log = pino({ level: "silent" });
  return {
    log,
    sendMail: createSendMail({ smtp_url: server.url, from: FROM }, log),
    secrets_key: SECRETS_KEY,
    publicUrl: () => PUBLIC_URL,
    mails_to_strangers: 0,
    ...changes,
  };
}

/** Sends due mails on a connection pool of its own, as a worker that owns all shards does. */
export function mailSender(
  test: Pick<TestDatabase, "url">,
  server: MailServer,
  changes: Partial<MailDependencies> = {},
): { send: (signal?: AbortSignal) => Promise<void>; close: () => Promise<void> } {
  const database = connect({ url: test.url, poolSize: 5, prepare: true, name: "findersfee test mails" });
  const consumer = mails(mailDependencies(server, { database, ...changes }));
  return {
    send: async (signal = new AbortController().signal) => {
      await runTurns(database, consumer, signal);
    },
    close: () => database.end(),
  };
}

/** The text of both forms of a mail, without markup. */
function words(text: string): string {
  return text
    .replaceAll(/[\s>:-]+/g, " ")
    .replaceAll(/&(lt|gt|amp|quot|#39);/g, " ")
    .replaceAll(/[<&]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

function wordsOfHtml(html: string): string {
  const body = html.slice(html.indexOf("<body"));
  // A link's words may be its address, which the text names anyhow.
  const shown = body.replaceAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g, (_, url: string, label: string) =>
    url === label ? label : `${label} ${url}`,
  );
  return words(shown.replaceAll(/<[a-z/][^>]*>/g, " ").replaceAll("&#39;", "'"));
}

/** Expects that both forms of a mail say the same. */
export function expectSameWords({ text, html }: ReceivedMail): void {
  expect(wordsOfHtml(html ?? "")).toBe(words(text));
}
