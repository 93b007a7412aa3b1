import { type Join, joinInput } from "@findersfee/contract/portal/join";
import type { Database } from "@findersfee/database/postgres/connect";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { createCampaign } from "../../src/campaigns/create.ts";
import type { Context } from "../../src/context.ts";
import { requestJoining } from "../../src/portal/join.ts";
import { mailedCode } from "../../src/portal/mailed-code.ts";
import { signInWithMailedCode } from "../../src/portal/sign-in.ts";
import { makePayoutContext } from "../ledger/program.ts";

export const secrets_key = Buffer.alloc(32, 7);

const browser = { ip_address: "127.0.0.1", user_agent: null };

/** A question of each type. */
export const FIELDS = [
  { id: "site", label: "Your site", type: "text", options: [], required: true },
  { id: "plan", label: "Your plan", type: "textarea", options: [], required: false },
  { id: "size", label: "Audience", type: "select", options: ["Small", "Large"], required: false },
  { id: "where", label: "Where", type: "multi_select", options: ["Blog", "Mail", "A, B"], required: false },
] as const;

/** The answer that is required. */
export const SITE = [{ id: "site", value: "jane.example" }];

/** The browser's part of an application, and its code. */
export interface Sent {
  token: string;
  code: string;
}

/** A campaign that people can join. */
export type JoinProgram = Awaited<ReturnType<typeof openProgram>>;

let people = 0;

/** A new organization with a campaign that asks questions of all types. */
export async function openProgram(database: Database) {
  const context: Context = await makePayoutContext(database);
  const [{ slug }] = await database<[{ slug: string }]>`
    select slug from organizations where id = ${context.organization.id}`;
  const { id: campaign_id } = await createCampaign(context, {
    name: "Partner program",
    commission_type: "percentage",
    commission_amount: 30,
    code_mode: "link",
    website_url: "https://example.com",
    collect_details: true,
    welcome_message: "For affiliates only",
    custom_fields: FIELDS.map((field) => ({ ...field, options: [...field.options] })),
  });

  /** A filled in form, of another person each time. */
  function form(changes: Partial<Record<keyof Join, unknown>> = {}): Join {
    people += 1;
    const email = `jane${people}@example.com`;
    const filled = { slug, campaign_id, email, first_name: "Jane", language: "de", custom_fields: SITE };
    return joinInput.parse({ ...filled, ...changes });
  }

  async function send(joining: Join): Promise<Sent> {
    const { token } = await requestJoining({ database, secrets_key }, joining, {
      limited_to: null,
      network: "192.0.2",
    });
    const [{ id }] = await database<[{ id: string }]>`
      select id from portal_codes where email = ${joining.email} order by id desc limit 1`;
    return { token, code: mailedCode(secrets_key, id) };
  }

  function enter(sent: Sent, on: Database = database) {
    return signInWithMailedCode(
      { database: on, secrets_key, notifyWorkers: () => {} },
      { ...sent, limited_to: null },
      browser,
    );
  }

  async function join(joining: Join) {
    const { joined } = await enter(await send(joining));
    if (joined === null) throw new Error("the code was no application's");
    return await getAffiliate(context, joined.affiliate_id);
  }

  return { context, slug, campaign_id, form, send, enter, join };
}

/** Everything that a join writes for an address. */
export async function storedOf(database: Database, email: string) {
  const [row] = await database`
    select (select count(*)::int from affiliates where lower(email) = ${email}) as affiliates,
      (select count(*)::int from events where body like ${`%"${email}"%`}) as events,
      (select count(*)::int from audit_log_entries where after::text like ${`%"${email}"%`}) as entries,
      (select count(*)::int from portal_sessions where email = ${email}) as sessions,
      (select count(*)::int from portal_accounts where email = ${email}) as accounts,
      (select count(*)::int from portal_codes where email = ${email} and used_at is not null) as used`;
  return row;
}

/** The error that a call ends with; null: none. */
export const rejection = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error) => error,
  );

export const codeOfRejection = async (promise: Promise<unknown>) => (await rejection(promise))?.code ?? null;
