import { deleteExpiredPortalCodes, findMailedPortalCode } from "@findersfee/database/portal/codes";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { hashNetwork } from "../../src/identity/accounts/secret-token.ts";
import { requestJoining } from "../../src/portal/join.ts";
import { mailedCode } from "../../src/portal/mailed-code.ts";
import { requestCode } from "../../src/portal/sign-in.ts";
import {
  codeOfRejection,
  type JoinProgram,
  openProgram,
  rejection,
  secrets_key,
  storedOf,
} from "./joining.ts";

let test: TestDatabase;
let program: JoinProgram;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

beforeEach(async () => {
  program = await openProgram(test.database);
});

const OWN_HOST = { limited_to: null, portal_host: null };
const NOTHING = { affiliates: 0, events: 0, entries: 0, sessions: 0, accounts: 0, used: 0 };
const ALL = { affiliates: 1, events: 1, entries: 1, sessions: 1, accounts: 1, used: 1 };

const ASKED = { limited_to: null, network: "192.0.2" };

describe("the code of an application", () => {
  it("changes nothing when it is entered again", async () => {
    const joining = program.form();
    const sent = await program.send(joining);
    await program.enter(sent);
    expect(await codeOfRejection(program.enter(sent))).toBe("code_invalid");
    expect(await storedOf(test.database, joining.email)).toEqual(ALL);
  });

  it("is refused after five wrong ones, when it expired, and in the browser of another application", async () => {
    const joining = program.form();
    const sent = await program.send(joining);
    const wrong = sent.code === "000000" ? "000001" : "000000";
    for (let attempt = 0; attempt < 5; attempt++) {
      expect(await codeOfRejection(program.enter({ ...sent, code: wrong }))).toBe("code_invalid");
    }
    expect((await rejection(program.enter(sent))).message).toMatch(/Request a new one/);
    const other = await program.send(program.form());
    const third = await program.send(program.form());
    expect(await codeOfRejection(program.enter({ token: third.token, code: other.code }))).toBe(
      "code_invalid",
    );
    await test.database`update portal_codes set expires_at = now() - interval '1 second' where used_at is null`;
    expect(await codeOfRejection(program.enter(other))).toBe("code_invalid");
    expect(await storedOf(test.database, joining.email)).toEqual(NOTHING);
  });

  it("signs in the affiliate that the campaign has already, unchanged", async () => {
    const joining = program.form();
    const before = await program.join(joining);
    const statements = async (email: string) =>
      (await statementsOf(test.database, () => program.send({ ...joining, email, first_name: "Mallory" })))
        .length;
    expect(await statements(joining.email)).toBe(await statements("unknown@example.com"));
    const again = await program.enter(await program.send({ ...joining, first_name: "Mallory" }));
    expect(again.joined).toEqual({ affiliate_id: before.id, is_new: false });
    expect(await getAffiliate(program.context, before.id)).toEqual(before);
  });

  it("creates one affiliate when two are entered at once", async () => {
    const joining = program.form();
    const sent = [await program.send(joining), await program.send(joining)];
    // Both have the same address, so the newest code of the address is each one's own.
    const rows = await test.database<{ id: string }[]>`
      select id from portal_codes where email = ${joining.email} order by id`;
    const entered = await Promise.all(
      sent.map(({ token }, at) =>
        program.enter({ token, code: mailedCode(secrets_key, rows[at]?.id ?? "") }),
      ),
    );
    expect(entered.map(({ joined: result }) => result?.is_new).sort()).toEqual([false, true]);
    expect(new Set(entered.map(({ joined: result }) => result?.affiliate_id)).size).toBe(1);
    expect(await storedOf(test.database, joining.email)).toMatchObject({
      affiliates: 1,
      events: 1,
      sessions: 2,
      used: 2,
    });
  });

  it("lets people of one name join at once", async () => {
    const sent = await Promise.all(
      Array.from({ length: 4 }, () => program.send(program.form({ last_name: "Smith" }))),
    );
    await Promise.all(sent.map((one) => program.enter(one)));
    const codes = await test.database`
      select code from affiliate_codes where organization_id = ${program.context.organization.id}`;
    expect(codes).toHaveLength(4);
  });

  it.each([
    [
      "closed",
      "closed",
      () => test.database`update campaigns set joining = 'closed' where id = ${program.campaign_id}`,
    ],
    [
      "form_changed",
      "asking more",
      () =>
        updateCampaign(program.context, {
          id: program.campaign_id,
          custom_fields: [{ id: "new", label: "New", type: "text", options: [], required: true }],
        }),
    ],
    [
      "form_changed",
      "with terms",
      () =>
        test.database`update organizations set terms_url = 'https://example.com' where slug = ${program.slug}`,
    ],
  ])("says %s for a campaign that is now %s, and stays valid", async (reason, _now, change) => {
    const joining = program.form();
    const sent = await program.send(joining);
    await change();
    const error = await rejection(program.enter(sent));
    expect({ code: error.code, details: error.details }).toEqual({
      code: "application_outdated",
      details: { reason },
    });
    expect(await storedOf(test.database, joining.email)).toEqual(NOTHING);
  });

  it.each(LOST_ANSWERS)("does everything or nothing when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      const joining = program.form();
      const sent = await program.send(joining);
      await program.enter(sent, database).catch(() => null);
      expect([NOTHING, ALL]).toContainEqual(await storedOf(test.database, joining.email));
      await program.enter(sent).catch(() => null);
      expect(await storedOf(test.database, joining.email)).toEqual(ALL);
    });
  });

  it.each(LOST_ANSWERS)("is stored with its mail or not at all when a call fails (%s)", async (kind) => {
    await failEachCall(test.url, kind, async (database) => {
      const joining = program.form();
      await requestJoining({ database, secrets_key }, joining, ASKED).catch(() => null);
      const [row] = await test.database<[{ codes: number; mails: number }]>`
        select (select count(*)::int from portal_codes where email = ${joining.email}) as codes,
          (select count(*)::int from mails where recipient = ${joining.email}) as mails`;
      expect(row.codes).toBe(row.mails);
    });
  });

  it("takes few statements", async () => {
    const joining = program.form();
    const sent = await program.send(joining);
    const asked = await statementsOf(test.database, () => program.send(program.form()));
    const entered = await statementsOf(test.database, () => program.enter(sent));
    // Two of the first list are the test's own and the program; the rest is one insert.
    expect({ asked: asked.length, entered: entered.length }).toEqual({ asked: 3, entered: 15 });
  });

  it("is mailed with the campaign's name to those who are no affiliates of it", async () => {
    const { id: organization_id } = program.context.organization;
    const mailed = async (email: string) => {
      const [{ id }] = await test.database<[{ id: string }]>`
        select id from portal_codes where email = ${email} and used_at is null`;
      return await findMailedPortalCode(test.database, { id, email, organization_id });
    };
    const joining = program.form();
    await program.send(joining);
    expect(await mailed(joining.email)).toEqual({
      language: "de",
      campaign_name: "Partner program",
      is_named: true,
      ...OWN_HOST,
    });
    await program.join({ ...joining, language: "en" });
    expect(await mailed(joining.email)).toEqual({
      language: "de",
      campaign_name: null,
      is_named: true,
      ...OWN_HOST,
    });
  });
});
describe("limits", () => {
  it("mails three open applications of an address, whoever has it, without showing it", async () => {
    for (const known of [true, false]) {
      const joining = program.form();
      if (known) await program.join(joining);
      for (let attempt = 0; attempt < 5; attempt++) await program.send(joining);
      const mails = await test.database`
        select from mails where recipient = ${joining.email}`;
      expect(mails).toHaveLength(known ? 4 : 3);
      const { token } = await requestCode(
        { database: test.database, secrets_key },
        { email: joining.email, ...ASKED },
      );
      expect(token).toHaveLength(43);
      const after = await test.database`
        select from mails where recipient = ${joining.email}`;
      // Applications of strangers do not keep an affiliate from signing in.
      expect(after).toHaveLength(known ? 5 : 3);
    }
  });

  it("mails ten applications of an address in a day", async () => {
    const joining = program.form();
    for (let attempt = 0; attempt < 12; attempt++) {
      await program.send(joining);
      await test.database`
        update portal_codes set expires_at = now() - interval '1 second' where email = ${joining.email}`;
    }
    expect(await test.database`select from mails where recipient = ${joining.email}`).toHaveLength(10);
  });

  it("leaves places for others, however many of a network are not confirmed", async () => {
    const apply = (network: string) =>
      requestJoining({ database: test.database, secrets_key }, program.form(), { limited_to: null, network });
    for (let number = 0; number < 10; number++) {
      await apply(`10.0.${number}`);
      await addUnconfirmed(29, hashNetwork(secrets_key, `10.0.${number}`));
      expect(await rejection(apply(`10.0.${number}`))).toMatchObject(BUSY);
    }
    await apply(ASKED.network);
    await test.database`update portal_codes set used_at = now(), application = null`;
    await apply("10.0.0");
  });

  it("stops at 1,000 applications of an organization in an hour that are not confirmed", async () => {
    await addUnconfirmed(1_000, null);
    const joining = program.form();
    const error = await rejection(requestJoining({ database: test.database, secrets_key }, joining, ASKED));
    expect(error).toMatchObject(BUSY);
    expect(await test.database`select from portal_codes where email = ${joining.email}`).toEqual([]);
  });

  it("deletes applications with their codes, and when an affiliate with the address is erased", async () => {
    const left = async (email: string) =>
      (await test.database`select from portal_codes where email = ${email}`).length;
    const late = program.form();
    await program.send(late);
    await test.database`update portal_codes set expires_at = now() - interval '2 days' where email = ${late.email}`;
    const before = new Date(Date.now() - 24 * 60 * 60_000);
    await deleteExpiredPortalCodes(test.database, { before, limit: 1_000 });
    expect(await left(late.email)).toBe(0);
    const joining = program.form();
    const { id } = await program.join(joining);
    await program.send(joining);
    await eraseAffiliate(program.context, id);
    expect(await left(joining.email)).toBe(0);
    expect(await storedOf(test.database, joining.email)).toMatchObject({ sessions: 0, accounts: 0 });
  });
});

it("an organization that erases its affiliate leaves the address' codes of other programs", async () => {
  const joining = program.form();
  const { id } = await program.join(joining);
  const evil = await openProgram(test.database);
  const theirs = await evil.join(evil.form({ email: joining.email }));
  const { token } = await requestCode(
    { database: test.database, secrets_key },
    { email: joining.email, ...ASKED },
  );
  const [{ id: code_id }] = await test.database<[{ id: string }]>`
    select id from portal_codes where email = ${joining.email} order by id desc limit 1`;
  const code = mailedCode(secrets_key, code_id);
  // A form for their own program goes with their affiliate.
  await evil.send(evil.form({ email: joining.email }));
  await eraseAffiliate(evil.context, theirs.id);
  const forms = await test.database`
    select from portal_codes where email = ${joining.email} and organization_id = ${evil.context.organization.id}`;
  expect(forms).toHaveLength(0);
  await program.enter({ token, code });
  await eraseAffiliate(program.context, id);
  const left = await test.database`select from portal_codes where email = ${joining.email}`;
  expect(left).toHaveLength(0);
});

const BUSY = { code: "rate_limited", retry_after_seconds: 3600 };
let added = 0;

/** Applications from a network without an entered code. */
async function addUnconfirmed(count: number, network_hash: Buffer | null): Promise<void> {
  const { campaign_id, context } = program;
  added += 1;
  const series = `${program.slug} ${added}`;
  await test.database`
    insert into portal_codes (id, email, browser_hash, link_hash, network_hash, mailed, created_at, expires_at, organization_id, campaign_id)
    select gen_random_uuid(), number || '@example.com', sha256((${series} || ' b ' || number)::bytea),
      sha256((${series} || ' l ' || number)::bytea), ${network_hash}, true, now() - interval '50 minutes', now(),
      ${context.organization.id}, ${campaign_id}
    from generate_series(1, ${count}) as number`;
}
