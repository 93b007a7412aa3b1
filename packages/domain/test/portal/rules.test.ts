import type { CommissionRuleInput } from "@findersfee/contract/campaigns/rules";
import { publicProgramSchema } from "@findersfee/contract/portal/join";
import { portalProgramSchema } from "@findersfee/contract/portal/program";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setAffiliateRules } from "../../src/affiliates/rules.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import { updateCampaign } from "../../src/campaigns/update.ts";
import { getPortalProgram } from "../../src/portal/program.ts";
import { getPublicProgram } from "../../src/portal/public-program.ts";
import { percent, rule } from "../attribution/rules.ts";
import { type JoinProgram, openProgram } from "./joining.ts";
import { sessionOf } from "./own-session.ts";

let test: TestDatabase;
let program: JoinProgram;
let id: string;

beforeAll(async () => {
  test = await createTestDatabase();
  program = await openProgram(test.database);
  ({ id } = await program.join(program.form()));
});
afterAll(() => test.close());

const SECRET = "Secret";

async function seen() {
  const session = await sessionOf(program.context, id);
  const shown = await getPortalProgram(test.database, session);
  expect(portalProgramSchema.parse(shown)).toEqual(shown);
  expect(JSON.stringify(shown)).not.toContain(SECRET);
  return { own: shown.own_rules, of_campaign: shown.campaign.rules };
}

const setOwn = (starts_at: string, ...rules: CommissionRuleInput[]) =>
  setAffiliateRules(program.context, { affiliate_ids: [id], starts_at, note: SECRET, rules });

describe("the rules that an affiliate sees", () => {
  it("are those of its campaign, without names, products and metadata", async () => {
    expect(await seen()).toEqual({ own: [], of_campaign: [] });
    const conditions = {
      ...{ products: [SECRET], intervals: ["year" as const] },
      metadata: { key: SECRET, values: [SECRET] },
    };
    await updateCampaign(program.context, {
      id: program.campaign_id,
      rules: [rule(conditions, percent(40), SECRET), rule({ countries: ["DE"] }, percent(20))],
    });
    const rest = { of_some_products: false, has_more_conditions: false };
    expect((await seen()).of_campaign).toEqual([
      {
        conditions: { intervals: ["year"] },
        ...{ of_some_products: true, has_more_conditions: true, reward: percent(40) },
      },
      { conditions: { countries: ["DE"] }, ...rest, reward: percent(20) },
    ]);
  });

  it("are for everybody those for no tags, also without promo codes", async () => {
    const named = { slug: program.slug, campaign_id: program.campaign_id };
    await updateCampaign(program.context, {
      id: program.campaign_id,
      rules: [
        rule({ tags: [SECRET], countries: ["US"] }, percent(50), SECRET),
        rule({ products: [SECRET], countries: ["DE"] }, percent(40), SECRET),
        rule({ promo_codes: [SECRET], payments: { to: 1 } }, percent(30), SECRET),
      ],
    });
    const shown = await getPublicProgram(test.database, named);
    expect(publicProgramSchema.parse(shown)).toEqual(shown);
    expect(JSON.stringify(shown)).not.toContain(SECRET);
    expect(shown.campaign).toMatchObject({ has_rules: true });
    expect(shown.campaign.rules).toEqual([
      {
        conditions: { countries: ["DE"] },
        ...{ of_some_products: true, has_more_conditions: false, reward: percent(40) },
      },
      {
        conditions: { payments: { to: 1 } },
        ...{ of_some_products: false, has_more_conditions: true, reward: percent(30) },
      },
    ]);
  });

  it("are those for tags that it has, without the tags", async () => {
    await updateAffiliate(program.context, { id, tags: ["top secret"] });
    await updateCampaign(program.context, {
      id: program.campaign_id,
      rules: [
        rule({ tags: ["other", "top secret"], countries: ["DE"] }, percent(40)),
        rule({ tags: ["other"] }, percent(50)),
      ],
    });
    expect((await seen()).of_campaign).toEqual([
      {
        conditions: { countries: ["DE"] },
        ...{ of_some_products: false, has_more_conditions: false, reward: percent(40) },
      },
    ]);
  });

  it("are its own ones that apply now, without their note, and not those of another time", async () => {
    const own = { conditions: {}, of_some_products: false, has_more_conditions: false };
    await setOwn("2026-01-01T00:00:00.000Z", rule({}, percent(35)));
    await setOwn("2026-02-01T00:00:00.000Z", rule({}, percent(45), SECRET));
    await setOwn("2096-01-01T00:00:00.000Z", rule({}, percent(55)));
    expect((await seen()).own).toEqual([{ ...own, reward: percent(45) }]);
    await setOwn("2026-03-01T00:00:00.000Z");
    expect((await seen()).own).toEqual([]);
  });
});
