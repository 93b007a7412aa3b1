/* Decisions and answers as texts that are the same for each program with the same story. */
import type { payOut } from "@findersfee/domain/testing/attribution/program";
import { second } from "@findersfee/domain/testing/attribution/reported";

export interface Client {
  context: Parameters<typeof payOut>[0];
  rest: (method: string, path: string, body?: unknown) => Promise<{ status: number; body: unknown }>;
}

/** The texts by payment, and the bodies of the API's answers and events. */
export interface Texts {
  decisions: Record<string, string>;
  answers: Record<string, unknown>;
  events: unknown[];
}

/** `paths` are those of lists, and of one row with `{id}`, which are asked for the rows of the list before them. */
export async function textsOf({ context, rest }: Client, paths: readonly string[]): Promise<Texts> {
  const { database, organization } = context;
  const named = await namesOf(context);
  const plain = (value: unknown): unknown => withoutChance(value, named);
  const decisions = await database<{ payment_id: string; text: string }[]>`
    select payment_id, concat_ws(' ', outcome, currency, revenue_minor, commission_minor, paid_minor, reversed_minor,
      explanation::text) as text
    from payment_decisions where organization_id = ${organization.id} order by payment_id`;
  const answers: Record<string, unknown> = {};
  let ids: string[] = [];
  for (const path of paths) {
    if (!path.includes("{")) {
      const { status, body } = await rest("GET", path);
      const rows = (body as { data?: { id?: string }[] }).data;
      ids = Array.isArray(rows) ? rows.flatMap(({ id }) => id ?? []) : [];
      answers[`${status} ${path}`] = plain(body);
      continue;
    }
    const own = await Promise.all(ids.map(async (id) => (await rest("GET", path.replace("{id}", id))).body));
    answers[path] = sorted(own.map(plain));
  }
  const events = await database<{ body: string }[]>`
    select body from events where organization_id = ${organization.id}`;
  return {
    decisions: Object.fromEntries(decisions.map(({ payment_id, text }) => [payment_id, String(plain(text))])),
    answers,
    events: sorted(events.map(({ body }) => plain(JSON.parse(body)))),
  };
}

/** Names in place of random ids. */
async function namesOf({ database, organization }: Client["context"]): Promise<ReadonlyMap<string, string>> {
  const rows = await database<{ id: string; name: string }[]>`
    select id, 'campaign ' || name as name from campaigns where organization_id = ${organization.id}
    union all select id, 'affiliate ' || email from affiliates where organization_id = ${organization.id}
    union all select id, concat_ws(' ', 'referral', email, replaced_at is null) from referrals
      where organization_id = ${organization.id}
    union all select id, concat_ws(' ', 'commission', processor_payment_id, commission_minor) from commissions
      where organization_id = ${organization.id}
    union all select id, 'decision ' || payment_id from payment_decisions where organization_id = ${organization.id}
    union all select organization_id, 'organization' from campaigns where organization_id = ${organization.id}`;
  return new Map(rows.map(({ id, name }) => [id, name]));
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const TIME = /\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z/g;
const STORY_SECONDS = 150 * 24 * 60 * 60;

function withoutChance(value: unknown, named: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") {
    return value.replace(ID, (id) => `<${named.get(id) ?? "id"}>`).replace(TIME, timeName);
  }
  if (Array.isArray(value)) return sorted(value.map((item) => withoutChance(item, named)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withoutChance(item, named)]));
}

/** The seconds since the story began. */
function timeName(time: string): string {
  const seconds = (new Date(time).getTime() - second(0).getTime()) / 1000;
  return seconds >= 0 && seconds < STORY_SECONDS ? `<second ${seconds}>` : "<now>";
}

/** By id, since rows of the same millisecond have no order. */
function sorted(values: unknown[]): unknown[] {
  return values.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

function keyOf(value: unknown): string {
  const row = typeof value === "object" && value !== null && "data" in value ? value.data : value;
  const id = typeof row === "object" && row !== null && "id" in row ? row.id : "";
  return `${id} ${JSON.stringify(value)}`;
}
