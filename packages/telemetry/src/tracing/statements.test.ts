import { expect, it } from "vitest";
import { summarize } from "./statements.ts";

it.each([
  ["select id from events where id = $1", "SELECT events"],
  ["begin isolation level repeatable read", "BEGIN"],
  ["insert into events (id) values ($1) on conflict (id) do update set type = $2", "INSERT events"],
  [
    "with due as (select id from jobs for update skip locked) update jobs set state = $1 from due",
    "SELECT jobs UPDATE jobs",
  ],
  [
    "with gone as materialized (delete from links where id = $1 returning id) insert into former_links select id from gone",
    "DELETE links INSERT former_links",
  ],
  ["select extract(epoch from now()) from only members where a is distinct from b", "SELECT members"],
  ["with recursive t (a, b) as (select 1) select a from t join unnest($1::text[]) u on true", "WITH"],
  ["select 'from nothing' -- join nothing\n from graphile_worker.jobs", "SELECT graphile_worker.jobs"],
  ["select pg_notify($1, $2)", "SELECT"],
  ["", "STATEMENT"],
])("summarizes %s", (text, summary) => {
  expect(summarize(text)).toBe(summary);
});

it("ends a long summary between words", () => {
  const tables = Array.from({ length: 60 }, (_, number) => `table_${number}`);
  const summary = summarize(`select 1 from ${tables.join(" join ")}`);
  expect(summary.length).toBeLessThanOrEqual(255);
  expect(summary).toMatch(/^(SELECT table_\d+( |$))+SELECT$|^(SELECT table_\d+( |$))+$/);
});
