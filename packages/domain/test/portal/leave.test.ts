import { randomBytes } from "node:crypto";
import { listAffiliateRows } from "@findersfee/database/affiliates/list-rows";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { setAffiliateStates } from "../../src/affiliates/set-state.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { getClosed } from "../../src/portal/closed.ts";
import { eraseOwnData, getLeaving, leaveProgram } from "../../src/portal/leave.ts";
import { listOwnPayouts } from "../../src/portal/payouts.ts";
import type { AffiliateSession } from "../../src/principal.ts";
import { getAffiliateDetail } from "../../src/reports/affiliate.ts";
import { history } from "../audit-log/history.ts";
import {
  addEarner,
  type Earner,
  earn,
  makePayoutContext,
  monthsAgo,
  pay,
  payOut,
} from "../ledger/program.ts";
import { buy, sessionOf } from "./own-session.ts";

let test: TestDatabase;
let context: CreationContext;
let jane: Earner;
let session: AffiliateSession;
let email: string;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  context = await makePayoutContext(test.database);
  await enter();
});

async function enter(): Promise<void> {
  jane = await addEarner(context);
  session = await sessionOf(context, jane.affiliate_id);
  email = (await getAffiliate(context, jane.affiliate_id)).email;
  await signIn();
}

const acting = (database = test.database) => ({ database, notifyWorkers: () => {} });
const leave = (typed = email, by = session) => leaveProgram(acting(), by, typed);
const erase = (typed = email) => eraseOwnData(acting(), session, typed);

/** The session begins now, or some minutes ago. */
async function signIn(minutes_ago = 0): Promise<void> {
  const created_at = new Date(Date.now() - minutes_ago * 60_000);
  const { session_id: id } = session;
  await test.database`delete from portal_sessions where id = ${id}`;
  await test.database`
    insert into portal_sessions (id, email, token_hash, created_at, updated_at, expires_at)
    values (${id}, ${email.toLowerCase()}, ${randomBytes(32)}, ${created_at}, ${created_at}, now() + interval '1 hour')`;
}
const refresh = async () => {
  session = await sessionOf(context, jane.affiliate_id);
  await signIn();
  return session;
};
const entriesOf = async (action: string) =>
  (await history(context)).filter(
    (entry) => entry.resource_id === jane.affiliate_id && entry.action === action,
  );

const mails = async () => {
  const [row] = await test.database<[{ count: number }]>`
    select count(*)::int as count from mails where kind = 'affiliate_left' and affiliate_id = ${jane.affiliate_id}`;
  return row.count;
};

describe("leaving a program", () => {
  it("ends attribution, keeps what is owed, and is said in words", async () => {
    await earn(context, jane, { amount: 30 });
    const { owed } = await getLeaving(test.database, session);
    expect(owed).toEqual([{ currency: "USD", due: 30, held: 0, in_payout: 0 }]);
    await leave();
    expect((await refresh()).state).toBe("left");
    expect(await getAffiliate(context, jane.affiliate_id)).toMatchObject({
      approved: true,
      banned: true,
      left_at: expect.stringMatching(/Z$/),
    });
    expect(await getAffiliateDetail(context, jane.affiliate_id)).toMatchObject({
      state: "left",
      left_at: expect.any(String),
    });
    expect(await entriesOf("updated")).toMatchObject([
      {
        actor: `affiliate ${jane.affiliate_id}`,
        before: { banned: false, left: false },
        after: { banned: true, left: true },
      },
    ]);
    await buy(context, jane, { subject: "after" });
    expect((await getClosed(test.database, session)).owed).toEqual(owed);
    // It is still paid.
    await payOut(context, monthsAgo(0));
    expect((await getClosed(test.database, session)).owed).toEqual([
      { currency: "USD", due: 0, held: 0, in_payout: 30 },
    ]);
  });

  it("has a state of its own in the list", async () => {
    const banned = await addEarner(context);
    await setAffiliateStates(context, { ids: [banned.affiliate_id], banned: true });
    await leave();
    const listed = async (state: "banned" | "left") => {
      const rows = await listAffiliateRows(test.database, context.organization.id, {
        filter: { state },
        source: { kind: "all" },
        range: { after: null, before: null, limit: 10 },
        most_referrals: 1,
      });
      return rows.map(({ id }) => id);
    };
    expect(await listed("left")).toEqual([jane.affiliate_id]);
    expect(await listed("banned")).toEqual([banned.affiliate_id]);
  });

  it("ends when the organization takes the affiliate back", async () => {
    await leave();
    await setAffiliateStates(context, { ids: [jane.affiliate_id], banned: false });
    expect((await refresh()).state).toBe("active");
    expect((await getAffiliate(context, jane.affiliate_id)).left_at).toBeNull();
  });

  it("needs the affiliate's own address, and an affiliate who is active", async () => {
    await expect(leave("joe@example.com")).rejects.toMatchObject({ code: "invalid_request" });
    await setAffiliateStates(context, { ids: [jane.affiliate_id], banned: true });
    await expect(leave()).rejects.toMatchObject({ code: "affiliate_not_active" });
    expect((await refresh()).state).toBe("banned");
  });

  it("changes nothing the second time", async () => {
    await leave();
    await leave();
    await leave(email, await refresh());
    expect(await entriesOf("updated")).toHaveLength(1);
    expect(await mails()).toBe(1);
  });

  it.each(LOST_ANSWERS)("is done or not done, whichever call fails: %s", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      await enter();
      await leaveProgram(acting(database), session, email).catch(() => {});
      const has_left = (await refresh()).state === "left";
      expect(await entriesOf("updated")).toHaveLength(has_left ? 1 : 0);
      expect(await mails()).toBe(has_left ? 1 : 0);
      await leave();
      expect((await refresh()).state).toBe("left");
      expect(await entriesOf("updated")).toHaveLength(1);
      expect(await mails()).toBe(1);
    });
  });
});

describe("erasing one's own data", () => {
  it("is refused while money is owed or in a payout", async () => {
    await earn(context, jane, { amount: 30 });
    await expect(erase()).rejects.toMatchObject({ code: "affiliate_owed" });
    await payOut(context, monthsAgo(0));
    await expect(erase()).rejects.toMatchObject({ code: "affiliate_owed" });
    const { data } = await listOwnPayouts(test.database, session, { limit: 1 });
    await pay(
      context,
      data.map(({ id }) => id),
    );
    await erase();
    expect(await entriesOf("erased")).toMatchObject([{ actor: `affiliate ${jane.affiliate_id}` }]);
    expect((await getAffiliate(context, jane.affiliate_id)).email).toMatch(/@erased\.invalid$/);
  });

  it("needs a sign-in by the mailed code within 15 minutes, which a stolen session cannot repeat", async () => {
    await signIn(16);
    await expect(erase()).rejects.toMatchObject({ code: "sign_in_again" });
    expect((await getAffiliate(context, jane.affiliate_id)).email).toBe(email);
    await signIn(14);
    await erase();
    expect(await entriesOf("erased")).toHaveLength(1);
  });

  it("needs the affiliate's own address, also after leaving", async () => {
    await leave();
    await refresh();
    await expect(erase("joe@example.com")).rejects.toMatchObject({ code: "invalid_request" });
    await erase();
    const texts = JSON.stringify(await history(context));
    expect(texts).not.toContain(email);
  });

  it.each(LOST_ANSWERS)("is done or not done, whichever call fails: %s", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      await enter();
      await eraseOwnData(acting(database), session, email).catch(() => {});
      const { email: stored } = await getAffiliate(context, jane.affiliate_id);
      const is_erased = stored.endsWith("@erased.invalid");
      expect(await entriesOf("erased")).toHaveLength(is_erased ? 1 : 0);
      if (!is_erased) await erase();
      expect(await entriesOf("erased")).toHaveLength(1);
    });
  });
});
