/* The performance with a key: the table, and the points of a chart. */
import { addDays } from "@findersfee/contract/reports/periods";
import { describe, expect, it } from "vitest";
import { beforeEachInNewProgram } from "./new-program.ts";
import { call, type Input, surfaces } from "./operations.ts";
import { type Program, unknownId } from "./program.ts";
import type { TestClient } from "./test-service.ts";

let program: Program;
let organization: TestClient;

/** The day of the program's commission. The organizations of tests have days in UTC. */
let today: string;
let week: { from: string; until: string };

beforeEachInNewProgram((made) => {
  ({ program, organization } = made);
  today = program.commission.created_at.slice(0, 10);
  week = { from: addDays(today, -5), until: addDays(today, 2) };
});

interface Point {
  day: string;
  revenue_amount: number;
  conversions: number;
}

interface Line {
  key: string | null;
  points: Point[];
  previous_points: Point[] | null;
}

describe.each(surfaces)("over %s, the performance", (surface) => {
  const read = (name: string, input: Input) =>
    call(surface, organization, { name: `analytics.${name}`, input });
  const linesOf = async (input: Input) => {
    const { data } = await read("series", input);
    return (data as { currency: string; series: Line[] }).series;
  };

  it("has the points of everything", async () => {
    const [line, ...others] = await linesOf(week);
    expect(others).toEqual([]);
    expect(line?.key).toBeNull();
    expect(line?.points.map(({ day }) => day)).toEqual(
      Array.from({ length: 7 }, (_, days) => addDays(week.from, days)),
    );
    expect(line?.points.map(({ revenue_amount }) => revenue_amount)).toEqual([0, 0, 0, 0, 0, 100, 0]);
    expect(line?.previous_points?.map(({ revenue_amount }) => revenue_amount)).toEqual(Array(7).fill(0));
    expect(await linesOf({ ...week, affiliate_id: program.affiliate.id })).toMatchObject([
      { points: [{}, {}, {}, {}, {}, { conversions: 1 }, {}] },
    ]);
  });

  it("has the points of a row of the table, by its key", async () => {
    const { data } = await read("get", { dimension: "affiliate", ...week });
    const [row] = (data as { rows: { key: string }[] }).rows;
    expect(row?.key).toBe(`=${program.affiliate.id}`);
    const of = (key: string) => linesOf({ dimension: "affiliate", key, ...week, unit: "month" });
    const sum = ([line]: Line[]) =>
      line?.points.reduce((total, { revenue_amount }) => total + revenue_amount, 0);
    expect(sum(await of(row?.key ?? ""))).toBe(100);
    expect(await of(`=${unknownId()}, a`)).toMatchObject([{ key: expect.stringMatching(/^=.*, a$/) }]);
    expect(sum(await of(`=${unknownId()}`))).toBe(0);
  });

  it("says what is wrong", async () => {
    const issuesOf = async (input: Input) => (await read("series", input)).error?.issues;
    expect(await issuesOf({ ...week, key: "=a" })).toEqual([
      { path: "dimension", message: "Must be given with a key." },
    ]);
    expect(await issuesOf({ ...week, dimension: "sub_id", key: "a" })).toEqual([
      { path: "key", message: "Must be a row's key." },
    ]);
    expect(await issuesOf({ ...week, from: "2024-01-01" })).toEqual([
      { path: "unit", message: "Must make at most 400 points." },
    ]);
    expect(await issuesOf({ until: today })).toEqual([{ path: "from", message: expect.any(String) }]);
    const unknown = await read("series", { ...week, campaign_id: unknownId() });
    expect(unknown.error?.code).toBe("not_found");
  });
});
