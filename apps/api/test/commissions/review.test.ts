/* The review of commissions by the API: campaigns that ask for it, approving and rejecting on both surfaces, and in bulk. */
import { beforeEach, describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "../new-program.ts";
import { answerOf, call, errorOf, refusedFields, surfaces } from "../operations.ts";
import { addCommission, createProgram, type Program, unknownId } from "../program.ts";
import type { TestClient, TestService } from "../test-service.ts";

let service: TestService;
let program: Program;
let organization: TestClient;

beforeEachInNewProgram((made) => {
  ({ service, program, organization } = made);
});

const setCampaign = (fields: object) =>
  answerOf(organization, "campaigns.update", { id: program.campaign.id, ...fields });

describe("a campaign", () => {
  it("reviews nothing by default, and stores its settings", async () => {
    expect(program.campaign).toMatchObject({
      review: "none",
      review_above_amount: null,
      review_approve_after_days: null,
    });
    const settings = { review: "first", review_above_amount: 99.5, review_approve_after_days: 14 };
    expect(await setCampaign(settings)).toMatchObject(settings);
    expect(await answerOf(organization, "campaigns.get", { id: program.campaign.id })).toMatchObject(
      settings,
    );
    expect(await setCampaign({ review_above_amount: null })).toMatchObject({
      ...settings,
      review_above_amount: null,
    });
  });

  it.each([
    ["review", "some"],
    ["review_above_amount", 0],
    ["review_above_amount", 1.001],
    ["review_approve_after_days", 0],
    ["review_approve_after_days", 366],
    ["review_approve_after_days", 1.5],
  ])("rejects %s of %j", async (field, value) => {
    const input = { id: program.campaign.id, [field]: value };
    expect(await refusedFields(organization, "campaigns.update", input)).toEqual([field]);
  });
});

describe("a commission in review", () => {
  let id: string;

  beforeEach(async () => {
    await setCampaign({ review: "all", review_approve_after_days: 3 });
    const commission = await addCommission(program);
    id = commission.id;
    expect(commission).toMatchObject({
      payout_status: "not_paid",
      review_state: "pending",
      review: {
        reasons: ["campaign_reviews_all"],
        since: commission.created_at,
        approves_at: new Date(Date.parse(commission.created_at) + 3 * 24 * 3_600_000).toISOString(),
        decided_by: null,
        decided_at: null,
        reason: null,
      },
    });
    expect(await answerOf(organization, "commissions.get", { id })).toEqual(commission);
  });

  it.each(surfaces)("is approved over %s", async (surface) => {
    const { data } = await call(surface, organization, { name: "commissions.approve", input: { id } });
    expect(data).toMatchObject({ id, review_state: "approved", review: { approves_at: null, reason: null } });
    expect(data.review.decided_by).toMatch(/^key /);
    expect(await answerOf(organization, "commissions.get", { id })).toEqual(data);
  });

  it("is approved by REST without a body, and with a reason", async () => {
    expect((await organization.rest("POST", `/commissions/${id}/approve`)).body.data).toMatchObject({
      review_state: "approved",
    });
    const { id: other } = await addCommission(program);
    const { body } = await organization.rest("POST", `/commissions/${other}/approve`, {
      reason: "Known customer",
    });
    expect(body.data).toMatchObject({ review: { reason: "Known customer" } });
  });

  it.each(surfaces)("is rejected over %s, and approved again", async (surface) => {
    const input = { id, reason: "Own purchase" };
    const rejected = await call(surface, organization, { name: "commissions.reject", input });
    expect(rejected.data).toMatchObject({
      review_state: "rejected",
      payout_status: "voided",
      review: { reason: "Own purchase" },
    });
    expect(
      await errorOf(organization, "commissions.update", { id, payout_status: "not_paid" }),
    ).toMatchObject({
      code: "commission_locked",
    });
    const approved = await call(surface, organization, { name: "commissions.approve", input: { id } });
    expect(approved.data).toMatchObject({ review_state: "approved", payout_status: "not_paid" });
    expect(await errorOf(organization, "commissions.reject", input)).toMatchObject({
      code: "commission_locked",
    });
  });

  it("accepts the fields of its review in an update only unchanged", async () => {
    const { review, review_state } = await answerOf(organization, "commissions.get", { id });
    await answerOf(organization, "commissions.update", { id, review, review_state });
    expect(await refusedFields(organization, "commissions.update", { id, review_state: "approved" })).toEqual(
      ["review_state"],
    );
  });

  it("needs a reason to be rejected", async () => {
    expect(await refusedFields(organization, "commissions.reject", { id })).toEqual(["reason"]);
    expect(await refusedFields(organization, "commissions.reject", { id, reason: " " })).toEqual(["reason"]);
  });

  it("is found by its state", async () => {
    const idsIn = async (review_state: string) => {
      const { data } = await answerOf(organization, "commissions.list", { review_state });
      return data.map((row: { id: string }) => row.id);
    };
    expect(await idsIn("pending")).toEqual([id]);
    expect(await idsIn("approved")).toEqual([]);
  });

  it("is another organization's for no one else", async () => {
    const other = await createProgram(service);
    for (const name of ["commissions.approve", "commissions.reject"]) {
      const input = name.endsWith("reject") ? { id, reason: "Test" } : { id };
      expect(await errorOf(other.organization, name, input)).toMatchObject({ code: "not_found" });
      expect(await errorOf(organization, name, { ...input, id: unknownId() })).toMatchObject({
        code: "not_found",
      });
    }
    expect(await answerOf(organization, "commissions.get", { id })).toMatchObject({
      review_state: "pending",
    });
  });
});
