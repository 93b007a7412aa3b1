import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, errorOf } from "../operations.ts";
import { createProgram, type Program } from "../program.ts";
import { sharedTestService, type TestService } from "../test-service.ts";

let service: TestService;
let program: Program;

beforeAll(async () => {
  service = await sharedTestService();
  program = await createProgram(service);
});

afterAll(() => service.close());

const MESSAGE = "Must be an ISO 8601 date-time with an offset, as in 2026-11-20T09:30:00.000Z.";

/** Offsets in ISO 8601's notations, each with 09:30 converted to UTC. */
const OFFSETS = [
  ["Z", "09:30"],
  ["+00:00", "09:30"],
  ["+0000", "09:30"],
  ["+00", "09:30"],
  ["-00:00", "09:30"],
  ["-0000", "09:30"],
  ["-00", "09:30"],
  ["+05:30", "04:00"],
  ["+0530", "04:00"],
  ["-08", "17:30"],
  ["+02", "07:30"],
] as const;

describe.each(OFFSETS)("a timestamp with the offset %s", (offset, time) => {
  const utc = `2026-03-01T${time}:00.000Z`;

  it("is returned in UTC when sent in a body", async () => {
    for (const written of [`2026-03-01T09:30:00${offset}`, `2026-03-01T09:30:00.000${offset}`]) {
      const input = { id: program.commission.id, referral_date: written };
      expect((await answerOf(program.organization, "commissions.update", input)).referral_date).toBe(utc);
    }
  });

  it("filters a list when sent in a query", async () => {
    const { organization } = program;
    const { data: before } = await answerOf(organization, "commissions.list", {
      created_before: `2026-03-01T09:30:00${offset}`,
    });
    const { data: after } = await answerOf(organization, "commissions.list", {
      created_after: `2026-03-01T09:30:00${offset}`,
    });
    expect([before.length, after.length]).toEqual([0, 1]);
  });
});

describe("an invalid timestamp", () => {
  it.each([
    "2026-03-01T09:30:00",
    "2026-03-01T09:30:00+0",
    "2026-03-01T09:30:00+000",
    "2026-03-01T09:30:00+00:0",
    "2026-03-01T09:30:00+24",
    "2026-03-01T09:30:00+0060",
    "2026-03-01T09:30:00Z00",
    "2026-03-01T09:30:00+00+00",
    "2026-03-01-08",
    "2026-02-30T09:30:00+0000",
    "T+00",
    "",
  ])("is rejected in a body: %s", async (referral_date) => {
    const error = await errorOf(program.organization, "commissions.update", {
      id: program.commission.id,
      referral_date,
    });
    expect(error.issues).toEqual([{ path: "referral_date", message: MESSAGE }]);
  });

  it("is rejected with one issue, regardless of length", async () => {
    const referral_date = `2026-03-01T09:30:00.${"0".repeat(200_000)}+00`;
    const { body } = await program.organization.rest("PUT", `/commissions/${program.commission.id}`, {
      referral_date,
    });
    expect(body.error.issues).toEqual([{ path: "referral_date", message: MESSAGE }]);
  });

  it("explains how to encode an offset in a query, where + is a space", async () => {
    for (const offset of ["+00:00", "+0530", "+05"]) {
      const { body } = await program.organization.rest(
        "GET",
        `/commissions?created_after=2026-03-01T09:30:00${offset}`,
      );
      expect(body.error.issues).toEqual([
        { path: "created_after", message: `${MESSAGE} In a query, write the + of an offset as %2B.` },
      ]);
    }
  });
});
