import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { answerOf, errorOf, type Input, operations, refusedFields } from "../operations.ts";
import { addCommission, createProgram, insertPayout, type Program } from "../program.ts";
import { sharedTestService, type TestService } from "../test-service.ts";
import { type Known, NOTHING_ELSE, validInput } from "../valid-inputs.ts";

const ROWS = 23;

let service: TestService;
/** An organization with `ROWS` rows of every listed resource. */
let program: Program;

beforeAll(async () => {
  service = await sharedTestService();
  program = await createProgram(service);
  // The program has one row of the others.
  await addRow("adjustments.create");
  await addRow("conversions.create");
  for (let count = 1; count < ROWS; count++) {
    for (const name of CREATES) await addRow(name);
  }
  for (let count = 0; count < ROWS; count++) await insertPayout(service.database, program);
  const { trpc } = program.organization;
  const { data: affiliates } = await trpc.affiliates.list.query({ limit: 2 });
  for (let count = 0; count < ROWS; count++) {
    const affiliate_id = affiliates[count % 2]?.id ?? "";
    await trpc.referrals.move.mutate({ referral_id: program.referral.id, affiliate_id, reason: "Test" });
  }
});

afterAll(() => service.close());

const CREATES = [
  "campaigns.create",
  "affiliates.create",
  "referrals.create",
  "commissions.create",
  "adjustments.create",
  "conversions.create",
];

async function addRow(name: string): Promise<void> {
  const known: Known = { ...program, ...NOTHING_ELSE };
  const { method, path } = { method: "POST", path: `/${name.replace(".create", "")}` };
  const { body } = await program.organization.rest(method, path, validInput(name, known));
  expect(body.error).toBeUndefined();
}

/** Events have no numbered pages, and of backtests only the last ten are kept. */
const OTHERS = ["events.list", "backtests.list"];
/** New lists are included automatically. */
const lists = operations.filter(({ name }) => name.endsWith(".list") && !OTHERS.includes(name));

async function ids(name: string, input: Input): Promise<string[]> {
  const { data } = await answerOf(program.organization, name, input);
  return data.map(({ id }: { id: string }) => id);
}

describe.each(lists)("$name", ({ name }) => {
  it("has pages of 10 rows by number, newest first, with counts", async () => {
    const first = await answerOf(program.organization, name);
    expect(first.data).toHaveLength(10);
    expect(first.pagination).toEqual({
      page: 1,
      limit: 10,
      total_count: ROWS,
      total_pages: 3,
      has_more: true,
      next_cursor: first.data[9].id,
    });
    expect(first.data.toSorted(newestFirst)).toEqual(first.data);
    const last = await answerOf(program.organization, name, { page: 3 });
    expect(last.data).toHaveLength(3);
    expect(last.pagination).toEqual({
      page: 3,
      limit: 10,
      total_count: ROWS,
      total_pages: 3,
      has_more: false,
      next_cursor: null,
    });
    const beyond = await answerOf(program.organization, name, { page: 4 });
    expect(beyond.data).toEqual([]);
    expect(beyond.pagination).toMatchObject({ page: 4, has_more: false, next_cursor: null });
  });

  it("returns the same rows in the same order by number and by cursor, for any limit", async () => {
    const all = await ids(name, { limit: 100 });
    expect(new Set(all).size).toBe(ROWS);
    for (const limit of [1, 7, ROWS - 1, ROWS]) {
      const pages = Math.ceil(ROWS / limit);
      const by_number: string[] = [];
      for (let page = 1; page <= pages; page++) by_number.push(...(await ids(name, { page, limit })));
      expect(by_number).toEqual(all);
      const by_cursor: string[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const { data, pagination } = await answerOf(program.organization, name, { cursor, limit });
        by_cursor.push(...data.map(({ id }: { id: string }) => id));
        expect(pagination).toEqual({
          page: null,
          limit,
          total_count: null,
          total_pages: null,
          has_more: by_cursor.length < ROWS,
          next_cursor: by_cursor.length < ROWS ? by_cursor.at(-1) : null,
        });
        cursor = pagination.next_cursor;
      }
      expect(by_cursor).toEqual(all);
    }
  });

  it("continues by cursor from a numbered page", async () => {
    const all = await ids(name, { limit: 100 });
    const { pagination } = await answerOf(program.organization, name, { page: 2, limit: 5 });
    expect(await ids(name, { cursor: pagination.next_cursor, limit: 5 })).toEqual(all.slice(10, 15));
  });

  it("accepts either a page or a cursor", async () => {
    expect(await errorOf(program.organization, name, { page: 1, cursor: "" })).toEqual({
      code: "invalid_request",
      message: "The request is not valid.",
      issues: [{ path: "cursor", message: "Send either page or cursor, not both." }],
    });
  });

  it.each([
    ["page", 0],
    ["page", -1],
    ["page", 1.5],
    ["page", "first"],
    ["page", 1e9],
    ["limit", 0],
    ["limit", 101],
    ["limit", "all"],
    ["cursor", "next"],
    ["sort", "name"],
  ])("rejects %s of %j", async (field, value) => {
    expect(await refusedFields(program.organization, name, { [field]: value })).toEqual([field]);
  });
});

function newestFirst(left: { id: string; created_at: string }, right: { id: string; created_at: string }) {
  const order = right.created_at.localeCompare(left.created_at);
  return order === 0 ? right.id.localeCompare(left.id) : order;
}

it("skips and repeats no row by cursor when rows are added", async () => {
  const before = await ids("commissions.list", { limit: 100 });
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { data, pagination } = await answerOf(program.organization, "commissions.list", {
      cursor,
      limit: 4,
    });
    seen.push(...data.map(({ id }: { id: string }) => id));
    await addCommission(program);
    cursor = pagination.next_cursor;
  }
  expect(seen).toEqual(before);
});

it("counts only matching rows", async () => {
  const { data, pagination } = await answerOf(program.organization, "affiliates.list", {
    email: "jane@example.com",
    limit: 1,
  });
  expect(data).toHaveLength(1);
  expect(pagination).toMatchObject({ total_count: 1, total_pages: 1, has_more: false });
});

it("returns zero pages without rows", async () => {
  const empty = await service.organization();
  for (const { name } of lists) {
    expect(await answerOf(empty, name)).toEqual({
      data: [],
      pagination: { page: 1, limit: 10, total_count: 0, total_pages: 0, has_more: false, next_cursor: null },
    });
    expect((await answerOf(empty, name, { cursor: "" })).pagination).toMatchObject({ next_cursor: null });
  }
});
