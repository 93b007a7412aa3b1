import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "./new-program.ts";
import { call, errorOf, type Input, surfaces } from "./operations.ts";
import { type Program, unknownId } from "./program.ts";
import type { TestClient } from "./test-service.ts";

let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ program, organization } = made);
});

const REASON = "Refund after the payout of October";

describe.each(surfaces)("over %s, an adjustment", (surface) => {
  const run = (name: string, input: Input) =>
    call(surface, organization, { name: `adjustments.${name}`, input });
  const make = async (fields: Input = {}) =>
    await run("create", { affiliate_id: program.affiliate.id, amount: -30, reason: REASON, ...fields });

  it("is created, read, listed, withdrawn and restored", async () => {
    const { data: created } = await make({ commission_id: program.commission.id });
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      affiliate_id: program.affiliate.id,
      amount: -30,
      currency: "USD",
      reason: REASON,
      commission_id: program.commission.id,
      payout_status: "not_paid",
      payout_id: null,
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const { id } = created as { id: string };
    expect((await run("get", { id })).data).toEqual(created);
    expect((await run("list", { affiliate_id: program.affiliate.id })).data).toMatchObject({
      data: [created],
    });
    const voided = { ...(created as Input), payout_status: "voided" };
    expect((await run("update", voided)).data).toEqual(voided);
    expect((await run("list", { payout_status: "not_paid" })).data).toMatchObject({ data: [] });
    expect((await run("update", created as Input)).data).toEqual(created);
    const commissions = await call(surface, organization, { name: "commissions.list", input: {} });
    expect(commissions.data).toMatchObject({ data: [{ id: program.commission.id }] });
    expect((commissions.data as { data: object[] }).data).toHaveLength(1);
  });

  it("is refused with all issues", async () => {
    const { error } = await make({ amount: 0, reason: " ", currency: "usd" });
    expect(error?.issues?.map(({ path }) => path).sort()).toEqual(["amount", "currency", "reason"]);
  });
});

it("sends no event", async () => {
  const { data } = await call("trpc", organization, {
    name: "adjustments.create",
    input: { affiliate_id: program.affiliate.id, amount: 5, reason: "Bonus" },
  });
  const { id } = data as { id: string };
  const later = await organization.trpc.referrals.create.mutate({
    affiliate_id: program.affiliate.id,
    email: "later@example.com",
  });
  const events = async () => (await organization.trpc.events.list.query({ limit: 100 })).data;
  // The events are complete as soon as the later one is listed.
  await expect.poll(async () => JSON.stringify(await events())).toContain(later.id);
  expect(JSON.stringify(await events())).not.toContain(id);
});

it("is not found for an unknown affiliate, commission or id", async () => {
  const input = { affiliate_id: program.affiliate.id, amount: 1, reason: REASON };
  for (const unknown of [{ affiliate_id: unknownId() }, { commission_id: unknownId() }]) {
    expect(await errorOf(organization, "adjustments.create", { ...input, ...unknown })).toMatchObject({
      code: "not_found",
    });
  }
  for (const [name, field] of [
    ["get", "id"],
    ["update", "id"],
    ["list", "affiliate_id"],
    ["list", "commission_id"],
    ["list", "payout_id"],
  ])
    expect(await errorOf(organization, `adjustments.${name}`, { [`${field}`]: unknownId() })).toMatchObject({
      code: "not_found",
    });
});
