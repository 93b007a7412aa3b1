import { deleteExpiredPortalTokens } from "@findersfee/database/portal/tokens";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { eventually } from "@findersfee/database/testing/eventually";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { IdempotencyClaim } from "../../src/context.ts";
import { embedPortal } from "../../src/portal/embed.ts";
import { createPortalToken } from "../../src/portal/tokens/create.ts";
import { codeOfRejection, type JoinProgram, openProgram, secrets_key } from "./joining.ts";

const MAKING = { secrets_key, service_url: "https://partners.example.com" };
const BROWSER = { ip_address: "192.0.2.1", user_agent: null };

let test: TestDatabase;
let program: JoinProgram;
let affiliate_id: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  program = await openProgram(test.database);
  affiliate_id = (await program.join(program.form())).id;
});

const create = (idempotency: IdempotencyClaim | null = null, database = test.database) =>
  createPortalToken({ ...program.context, database, idempotency }, { affiliate_id }, MAKING);

const open = (token: string, database = test.database) =>
  embedPortal(database, { token, organization: program.slug }, BROWSER);

async function stored() {
  const [row] = await test.database<[{ tokens: number; used: number; sessions: number }]>`
    select count(*)::int as tokens, count(used_at)::int as used,
      (select count(*)::int from portal_sessions where affiliate_id = ${affiliate_id}) as sessions
    from portal_tokens where affiliate_id = ${affiliate_id}`;
  return row;
}

const claim = (key: string): IdempotencyClaim => ({
  key,
  request_hash: Buffer.alloc(32),
  replayed: false,
});

describe("a portal token", () => {
  it("is returned again for a repeated request, and stored nowhere", async () => {
    const first = await create(claim("page-1"));
    const again = await create(claim("page-1"));
    expect(again).toEqual(first);
    expect(first.url).toBe(`https://partners.example.com/portal/embed/${program.slug}#${first.token}`);
    const other = await create(claim("page-2"));
    expect(other.token).not.toBe(first.token);
    const { id } = program.context.organization;
    const rows = await test.database`
      select row_to_json(portal_tokens)::text as text from portal_tokens where organization_id = ${id}
      union all select response from idempotency_keys where organization_id = ${id}`;
    expect(rows).toHaveLength(4);
    for (const { text } of rows) expect(text).not.toContain(first.token);
  });

  it("opens one session, however often it is sent at once", async () => {
    const { token } = await create();
    const opened = await Promise.allSettled(Array.from({ length: 8 }, () => open(token)));
    expect(opened.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await stored()).toEqual({ tokens: 1, used: 1, sessions: 1 });
  });

  it("is bounded per affiliate, and makes room when it expires", async () => {
    for (let made = 0; made < 30; made++) await create();
    expect(await codeOfRejection(create())).toBe("rate_limited");
    // Another affiliate of the organization has its own.
    const own = affiliate_id;
    affiliate_id = (await program.join(program.form())).id;
    await create();
    affiliate_id = own;
    await test.database`update portal_tokens set expires_at = now() - interval '1 minute' where affiliate_id = ${own}`;
    await create();
    const { id } = program.context.organization;
    const left = () => test.database`select from portal_tokens where organization_id = ${id}`;
    await deleteExpiredPortalTokens(test.database, { before: new Date(), limit: 1_000 });
    expect(await left()).toHaveLength(2);
  });

  it.each(LOST_ANSWERS)("is made once when a call fails and the request is repeated (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database, number) => {
      await test.database`delete from portal_tokens where affiliate_id = ${affiliate_id}`;
      const key = `${kind}-${number}`;
      const first = await create(claim(key), database).catch(() => null);
      // Postgres ends a lost transaction, and its lock, a moment later.
      const { token } = await eventually(() => create(claim(key)));
      if (first !== null) expect(token).toBe(first.token);
      expect(await stored()).toMatchObject({ tokens: 1 });
      expect(await open(token)).toMatchObject({ affiliate_id });
    });
  });

  it.each(LOST_ANSWERS)("is used with a session, or not at all, when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      await test.database`delete from portal_tokens where affiliate_id = ${affiliate_id}`;
      await test.database`delete from portal_sessions where affiliate_id = ${affiliate_id}`;
      const { token } = await create();
      const opened = await open(token, database).catch(() => null);
      const { used, sessions } = await stored();
      expect(sessions).toBe(used);
      if (opened !== null) expect(used).toBe(1);
      expect(await codeOfRejection(open(token))).toBe(used === 1 ? "link_invalid" : null);
      expect(await stored()).toEqual({ tokens: 1, used: 1, sessions: 1 });
    });
  });
});
