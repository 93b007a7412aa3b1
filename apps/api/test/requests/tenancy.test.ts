import { withStatements } from "@findersfee/database/testing/counted-statements";
import { openScans } from "@findersfee/database/testing/open-scans";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { call, type Operation, type Outcome, operations, surfaces } from "../operations.ts";
import { addOverridable } from "../overridable.ts";
import {
  addAdjustment,
  addLead,
  createProgram,
  idsIn,
  insertPayout,
  payCommission,
  storedRows,
  unknownId,
} from "../program.ts";
import { startTestService, type TestService } from "../test-service.ts";
import { type Known, NOT_IN_REVIEW, validInput } from "../valid-inputs.ts";

let service: TestService;
let ours: Known;
let theirs: Known;
/** The statements of the operations. */
const statements = new Set<string>();

beforeAll(async () => {
  service = await startTestService();
  ours = await createKnown();
  theirs = await createKnown();
});

afterAll(() => service.close());

/** A program with every kind of row that an id can name. */
async function createKnown(): Promise<Known> {
  const program = await createProgram(service);
  const payout_id = await insertPayout(service.database, program);
  await payCommission(service.database, program, { payout_id, payout_status: "pending" });
  const { organization_id } = program.organization;
  const [event] = await service.database<{ id: string }[]>`
    select id from events where organization_id = ${organization_id} limit 1`;
  const adjustment_id = await addAdjustment(program);
  const lead_id = await addLead(program);
  await service.database`
    insert into affiliate_tiers (organization_id, affiliate_id, since, campaign_id, tier_id, tier_name, measure, number, measured_on)
    values (${program.organization.organization_id}, ${program.affiliate.id}, now(), ${program.campaign.id},
      ${program.campaign.id}, 'Gold', 'customers', 1, current_date)`;
  await program.organization.trpc.affiliate_rules.set.mutate({
    affiliate_ids: [program.affiliate.id],
    rules: [{ conditions: {}, reward: { type: "percentage", amount: 30 } }],
  });
  const overridable = await addOverridable(service, program);
  return { ...program, ...overridable, payout_id, adjustment_id, lead_id, event_id: event?.id ?? "" };
}

/** Ids of rules and tiers belong to their list. Drafts of backtests have a test below. */
const NESTED = new Set([
  "CommissionRuleInput",
  "CommissionRuleConditionsInput",
  "CampaignTierStepInput",
  "BacktestCampaignInput",
  "BacktestAffiliateRulesInput",
]);

/** Every id field of an operation's input, detected with the input's own schema. */
function idFields({ input }: Operation): string[] {
  const found: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== "object" || schema === null) return;
    if ("format" in schema && schema.format === "uuid") found.push(path);
    for (const [key, value] of Object.entries(schema)) {
      if (key === "$defs") {
        for (const [name, definition] of Object.entries(value)) if (!NESTED.has(name)) walk(definition, path);
      } else if (key === "properties") {
        for (const [name, field] of Object.entries(value))
          walk(field, path === "" ? name : `${path}.${name}`);
      } else {
        walk(value, path);
      }
    }
  };
  walk(z.toJSONSchema(input, { io: "input", unrepresentable: "any" }), "");
  return [...new Set(found)];
}

/** The id of another organization's row that an operation's field could name. */
function foreignId({ name }: Operation, field: string): string {
  const noun = field === "id" ? name.replace(/s\..*$/, "") : field.replace(/_ids?$/, "");
  switch (noun) {
    case "campaign":
    // A tier of the affiliate, with the same id.
    case "tier":
      return theirs.campaign.id;
    case "affiliate":
    case "recruited_by":
      return theirs.affiliate.id;
    case "referral":
      return theirs.referral.id;
    case "commission":
      return theirs.commission.id;
    case "adjustment":
      return theirs.adjustment_id;
    case "lead":
      return theirs.lead_id;
    case "payout":
      return theirs.payout_id;
    case "override":
      return theirs.override_id;
    case "backtest":
      return theirs.backtest_id;
    case "event":
    case "after":
      return theirs.event_id;
    default:
      throw new Error(`add the row for the field ${field} of ${name} here`);
  }
}

function namedBy(field: string, id: string): string | string[] {
  return field.endsWith("_ids") ? [id] : id;
}

const named = operations
  .flatMap((operation) => idFields(operation).map((field) => ({ operation, field })))
  // It counts only without the other names of the customer: tracking/conversions.test.ts. A discount's click has an answer in any
  // case: tracking/click-discount.test.ts.
  .filter(
    ({ operation, field }) =>
      !["conversions.create", "discounts.get"].includes(operation.name) || field !== "click_id",
  );

it("finds the ids of the operations", () => {
  const fields = named.map(({ operation, field }) => `${operation.name} ${field}`);
  expect(fields).toEqual(
    expect.arrayContaining([
      "campaigns.get id",
      "affiliates.list campaign_id",
      "affiliates.create campaign_id",
      "referrals.create affiliate_id",
      "commissions.create referral_id",
      "commissions.list affiliate_id",
      "commissions.list referral_id",
      "payouts.list affiliate_id",
      "events.list after",
    ]),
  );
  // Every operation with an id in its path has an id field.
  const with_parameter = operations.flatMap(({ name, path }) =>
    [...path.matchAll(/\{(\w+)\}/g)].map(([, field]) => `${name} ${field}`),
  );
  expect(fields).toEqual(expect.arrayContaining(with_parameter));
});

it.each(operations)("$name has a valid input", async ({ name }) => {
  for (const surface of surfaces) {
    const input = validInput(name, ours);
    const ask = () => call(surface, ours.organization, { name, input });
    const [{ status, error }, sent] = await withStatements(service.database, ask);
    for (const statement of sent) statements.add(statement);
    // The program's commission is in a payout; the error that it cannot change shows that it was found.
    const is_locked = ["commissions.update", ...NOT_IN_REVIEW].includes(name);
    if (is_locked) expect(error?.code).toBe("commission_locked");
    else expect([status, error]).toEqual([200, null]);
  }
});

function answered({ status, error, headers }: Outcome): unknown {
  const { request_id: _, ...rest } = error ?? { request_id: "" };
  const names = [...headers.keys()].filter((name) => name !== "x-request-id" && name !== "date");
  // Equal lengths: the body differs only in `request_id`, which has a fixed length.
  return { status, error: rest, headers: names.map((name) => [name, headers.get(name)]) };
}

describe.each(named)("$operation.name with another organization's $field", ({ operation, field }) => {
  it.each(surfaces)("responds over %s as for an unknown id, and changes nothing", async (surface) => {
    const before = await storedRows(service.database);
    const { name } = operation;
    const input = validInput(name, ours);
    const ask = (id: string) =>
      call(surface, ours.organization, { name, input: { ...input, [field]: namedBy(field, id) } });
    const foreign = await ask(foreignId(operation, field));
    const nowhere = await ask(unknownId());
    expect(foreign.error?.code).toBe("not_found");
    expect(answered(foreign)).toEqual(answered(nowhere));
    expect(idsIn(foreign.error)).toEqual(new Set());
    expect(await storedRows(service.database)).toEqual(before);
  });

  it("finds the row for its own organization", async () => {
    const { name } = operation;
    const input = { ...validInput(name, theirs), [field]: namedBy(field, foreignId(operation, field)) };
    const { error } = await call("trpc", theirs.organization, { name, input });
    expect(error?.code).not.toBe("not_found");
  });
});

it.each([
  ["campaign", (id: string) => ({ campaign: { campaign_id: id } }), () => theirs.campaign.id],
  [
    "affiliate",
    (id: string) => ({ affiliate_rules: [{ affiliate_ids: [id], rules: [] }] }),
    () => theirs.affiliate.id,
  ],
] as const)("backtests.create finds no %s of another organization", async (_noun, inputOf, foreign) => {
  for (const surface of surfaces) {
    const ask = (id: string) =>
      call(surface, ours.organization, { name: "backtests.create", input: inputOf(id) });
    const answer = await ask(foreign());
    expect(answer.error?.code).toBe("not_found");
    expect(answered(answer)).toEqual(answered(await ask(unknownId())));
  }
});

// A discount has no ids of rows.
const queries = operations.filter(({ type, name }) => type === "query" && name !== "discounts.get");

describe.each(queries)("$name", ({ name }) => {
  it("shows nothing of another organization", async () => {
    const foreign = idsIn(Object.values(await storedRows(service.database)).flat());
    for (const surface of surfaces) {
      // Events appear once no older transaction runs on the server.
      await expect
        .poll(async () => {
          const input = validInput(name, ours);
          const { data } = await call(surface, ours.organization, { name, input });
          return idsIn(data).size;
        })
        .toBeGreaterThan(0);
      const limit = name.endsWith(".list") ? { limit: 100 } : {};
      const input = { ...validInput(name, ours), ...limit };
      const { data } = await call(surface, ours.organization, { name, input });
      const own = await ownIds();
      const shown = idsIn(data);
      expect([...shown].filter((id) => foreign.has(id) && !own.has(id))).toEqual([]);
      expect([...shown].filter((id) => !foreign.has(id))).toEqual([]);
    }
  });
});

it("reads rows of one organization alone", async () => {
  expect(statements.size).toBeGreaterThan(operations.length);
  expect(await openScans(service.database, statements)).toEqual([]);
});

/** Every id in the organization's own rows. */
async function ownIds(): Promise<Set<string>> {
  const rows = Object.values(await storedRows(service.database)).flat();
  return idsIn(rows.filter((row) => row.includes(ours.organization.organization_id)));
}
