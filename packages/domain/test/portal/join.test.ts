import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { getPublicProgram, getPublicPrograms } from "../../src/portal/public-program.ts";
import { makePayoutContext } from "../ledger/program.ts";
import {
  codeOfRejection,
  FIELDS,
  type JoinProgram,
  openProgram,
  rejection,
  SITE,
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

const NOTHING = { affiliates: 0, events: 0, entries: 0, sessions: 0, accounts: 0, used: 0 };
const ALL = { affiliates: 1, events: 1, entries: 1, sessions: 1, accounts: 1, used: 1 };

describe("an application", () => {
  it("becomes an affiliate when its code is entered, with answers to all questions", async () => {
    const joining = program.form({
      last_name: "Doe",
      details: "I write.",
      custom_fields: [{ id: "where", value: ["A, B", "Blog"] }, { id: "size", value: "Large" }, ...SITE],
    });
    const sent = await program.send(joining);
    expect(await storedOf(test.database, joining.email)).toEqual(NOTHING);
    const { joined: result } = await program.enter(sent);
    const affiliate = await getAffiliate(program.context, result?.affiliate_id ?? "");
    expect(affiliate).toMatchObject({
      email: joining.email,
      first_name: "Jane",
      last_name: "Doe",
      details: "I write.",
      approved: true,
      payout_email: null,
      custom_fields: [
        { id: "site", label: "Your site", value: "jane.example" },
        { id: "plan", label: "Your plan", value: "" },
        { id: "size", label: "Audience", value: "Large" },
        { id: "where", label: "Where", value: "Blog, A, B" },
      ],
    });
    expect(await storedOf(test.database, joining.email)).toEqual(ALL);
    const [row] = await test.database`
      select email_confirmed_at is not null as confirmed, terms_accepted_at from affiliates where id = ${affiliate.id}`;
    expect(row).toEqual({ confirmed: true, terms_accepted_at: null });
    const events = await test.database<{ type: string; body: string }[]>`
      select type, body from events where organization_id = ${program.context.organization.id}`;
    expect(events.map(({ type }) => type)).toEqual(["affiliate.created"]);
    expect(JSON.parse(events[0]?.body ?? "").data.custom_fields).toEqual(affiliate.custom_fields);
    const mails = await test.database`
      select kind from mails where affiliate_id = ${affiliate.id}`;
    expect(mails).toMatchObject([{ kind: "affiliate_approved" }]);
  });

  it("waits where approval is needed, without a welcome", async () => {
    await updateCampaign(program.context, { id: program.campaign_id, approval_needed: true });
    const affiliate = await program.join(program.form());
    expect(affiliate.approved).toBe(false);
    expect(await test.database`select from mails where affiliate_id = ${affiliate.id}`).toEqual([]);
  });

  it("is held to the questions", async () => {
    const wrong = [
      [[], ["custom_fields[0]"]],
      [[{ id: "site", value: " " }], ["custom_fields[0]"]],
      [[{ id: "site", value: ["x"] }], ["custom_fields[0]"]],
      [[{ id: "site", value: "x".repeat(1_001) }], ["custom_fields[0]"]],
      [[...SITE, { id: "plan", value: ["x"] }], ["custom_fields[1]"]],
      [[...SITE, { id: "size", value: "Huge" }], ["custom_fields[2]"]],
      [[...SITE, { id: "where", value: "Blog" }], ["custom_fields[3]"]],
      [[...SITE, { id: "where", value: ["Radio"] }], ["custom_fields[3]"]],
      [[...SITE, { id: "where", value: ["Blog", "Radio"] }], ["custom_fields[3]"]],
      [[...SITE, ...SITE], ["custom_fields"]],
      [[...SITE, { id: "shoe", value: "44" }], ["custom_fields"]],
    ] as const;
    for (const [custom_fields, paths] of wrong) {
      const error = await rejection(program.send(program.form({ custom_fields })));
      expect(error.issues.map(({ path }: { path: string }) => path)).toEqual(paths);
    }
  });

  it("stores hostile texts unchanged", async () => {
    const hostile = `<script>alert(1)</script> ‮ ' ; drop table x; -- ${"ü".repeat(900)}`;
    const joining = program.form({
      first_name: hostile.slice(0, 100),
      custom_fields: [{ id: "site", value: hostile }],
    });
    const { first_name, custom_fields } = await program.join(joining);
    expect(first_name).toBe(hostile.slice(0, 100));
    expect(custom_fields[0]?.value).toBe(hostile);
  });

  it("needs the terms accepted, if there are any", async () => {
    await test.database`update organizations set terms_url = 'https://example.com/terms' where slug = ${program.slug}`;
    const error = await rejection(program.send(program.form()));
    expect(error.issues).toMatchObject([{ path: "accepted_terms" }]);
    const { id } = await program.join(program.form({ accepted_terms: true }));
    const [row] =
      await test.database`select terms_accepted_at is not null as accepted from affiliates where id = ${id}`;
    expect(row).toEqual({ accepted: true });
  });

  it("drops details that the campaign does not ask for", async () => {
    await updateCampaign(program.context, { id: program.campaign_id, collect_details: false });
    expect((await program.join(program.form({ details: "unasked" }))).details).toBeNull();
  });
});

describe("the public view", () => {
  it("shows a campaign's terms and form to those who know its address, in one statement", async () => {
    let found: unknown;
    const statements = await statementsOf(test.database, async () => {
      found = await getPublicProgram(test.database, program);
    });
    expect(statements).toHaveLength(1);
    expect(found).toEqual({
      organization: {
        name: expect.any(String),
        slug: program.slug,
        currency: "USD",
        terms_url: null,
        languages: ["en", "de"],
      },
      campaign: {
        id: program.campaign_id,
        name: "Partner program",
        commission_type: "percentage",
        commission_amount: 30,
        limit_type: "none",
        limit_amount: null,
        first_payment_commission: { enabled: false, type: "percentage", amount: expect.any(Number) },
        lead_commissions: [],
        has_rules: false,
        rules: [],
        website_url: "https://example.com",
        approval_needed: false,
        collect_details: true,
        details_text: null,
        custom_fields: FIELDS,
        translations: {},
      },
    });
    expect(JSON.stringify(found)).not.toContain("For affiliates only");
  });

  it("lists campaigns that are listed alone, and hides closed ones and test data", async () => {
    expect(await codeOfRejection(getPublicPrograms(test.database, program.slug))).toBe("not_found");
    await test.database`update campaigns set joining = 'listed' where id = ${program.campaign_id}`;
    const { campaigns } = await getPublicPrograms(test.database, program.slug);
    expect(campaigns.map(({ id }) => id)).toEqual([program.campaign_id]);
    await test.database`update campaigns set joining = 'closed' where id = ${program.campaign_id}`;
    expect(await codeOfRejection(getPublicProgram(test.database, program))).toBe("not_found");
    expect(await codeOfRejection(program.send(program.form()))).toBe("not_found");
    await test.database`update campaigns set joining = 'listed' where id = ${program.campaign_id}`;
    const other = await makePayoutContext(test.database);
    await test.database`
      update organizations set test_of = ${other.organization.id} where slug = ${program.slug}`;
    expect(await codeOfRejection(getPublicPrograms(test.database, program.slug))).toBe("not_found");
    expect(await codeOfRejection(getPublicProgram(test.database, program))).toBe("not_found");
  });
});
