import { statementsOf } from "@findersfee/database/testing/counted-statements";
import { takeShard } from "@findersfee/database/work/shards";
import { describe, expect, it } from "vitest";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { startPayoutRun } from "../../src/payouts/runs/start.ts";
import { cancelJob } from "../../src/work/jobs/cancel.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { getJob } from "../../src/work/jobs/get.ts";
import { MAX_FILES, MAX_RUNNING } from "../../src/work/jobs/limits.ts";
import { listJobs } from "../../src/work/jobs/list.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, type Partner } from "../attribution/program.ts";
import { makeContext } from "../subscriber.ts";
import { ownOrganization, runJobs, stepJobs } from "../work.ts";

let context: Context;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const start = (input: object = {}) => startJob(context, { kind: "affiliates_export", input });

async function fileOf(id: string): Promise<string> {
  let text = "";
  for await (const part of (await readJobFile(context, id)).content) text += part;
  return text;
}

/** Affiliates of the partner's campaign, more than a step exports. */
async function addMany(count: number): Promise<void> {
  const ids = Array.from({ length: count }, () => newId(new Date()));
  await context.database`
    insert into affiliates (organization_id, id, campaign_id, email, first_name, last_name, approved,
      new_paid_referral_notifications, created_at)
    select ${context.organization.id}, id, ${partner.campaign_id}, id || '@example.com', '', '', true, true, now()
    from unnest(${ids}::uuid[]) as id`;
}

describe("a job", () => {
  it("continues from step to step, and has its file once it is finished", async () => {
    await addMany(1_200);
    const { id } = await start();
    expect(await getJob(context, id)).toMatchObject({ state: "running", done: 0, total: null, file: null });
    expect(await stepJobs(context)).toBe("stepped");
    expect(await getJob(context, id)).toMatchObject({
      state: "running",
      done: 1_000,
      total: 1_201,
      file: null,
    });
    await expect(readJobFile(context, id)).rejects.toMatchObject({ code: "not_found" });
    expect(await stepJobs(context)).toBe("finished");
    const job = await getJob(context, id);
    const text = await fileOf(id);
    expect(job).toMatchObject({
      state: "finished",
      done: 1_201,
      finished_at: expect.any(String),
      file: { name: expect.stringMatching(/^affiliates-[\d-]{10}\.csv$/), bytes: Buffer.byteLength(text) },
    });
    const [header, ...lines] = text.trimEnd().split("\r\n");
    expect(header).toMatch(/^\uFEFFid,email,first_name,/);
    expect(new Set(lines.map((line) => line.split(",")[0])).size).toBe(1_201);
    expect(await stepJobs(context)).toBe("none");
  });

  it("writes the affiliates of its filters, without formulas", async () => {
    const first_name = '=HYPERLINK("https://evil.example")';
    const id = await addAffiliate(context, {
      campaign_id: partner.campaign_id,
      first_name,
      last_name: "\t@SUM(A1)",
    });
    const { database, organization } = context;
    await database`
      insert into balances (organization_id, affiliate_id, currency, earned_minor, lost_minor, unpaid_minor)
      values (${organization.id}, ${id}, 'USD', 5, 10, -5), (${organization.id}, ${id}, 'JPY', 1500, 300, 1200)`;
    const job = await start({ ids: [id] });
    await runJobs(context);
    const [, line = "", ...others] = (await fileOf(job.id)).trimEnd().split("\r\n");
    expect(others).toEqual([]);
    expect(line).toContain(`"'=HYPERLINK(""https://evil.example"")",'@SUM(A1),`);
    expect(line).toContain(`,USD,-0.05,-0.05,"JPY 1200 earned, 1200 due",`);
    const none = await start({ state: "banned" });
    await runJobs(context);
    expect((await fileOf(none.id)).trimEnd().split("\r\n")).toHaveLength(1);
    expect(await getJob(context, none.id)).toMatchObject({ state: "finished", done: 0, total: 0 });
  });

  it("is repeated with a delay after an error of the database, and fails in the end", async () => {
    const { id } = await start();
    await context.database`
      update jobs set position = '{"after": "no id"}'
      where organization_id = ${context.organization.id} and id = ${id}`;
    await expect(stepJobs(context)).rejects.toThrow(/invalid input syntax/);
    expect(await getJob(context, id)).toMatchObject({
      state: "running",
      reason: expect.stringContaining("invalid input syntax"),
    });
    expect(await stepJobs(context)).toBe("none");
    await context.database`update jobs set due_at = now(), failures = 6 where id = ${id}`;
    expect(await stepJobs(context)).toBe("failed");
    expect(await getJob(context, id)).toMatchObject({ state: "failed", finished_at: expect.any(String) });
    expect(await stepJobs(context)).toBe("none");
  });

  it("of a kind that this version does not know fails at once, with the reason", async () => {
    const { id } = await start();
    await context.database`update jobs set kind = 'of_the_future' where id = ${id}`;
    expect(await stepJobs(context)).toBe("failed");
    expect(await getJob(context, id)).toMatchObject({
      state: "failed",
      reason: expect.stringContaining("of_the_future"),
    });
  });

  it("is canceled, and stays finished if it was", async () => {
    const { id } = await start();
    expect(await cancelJob(context, id)).toMatchObject({
      state: "canceled",
      finished_at: expect.any(String),
    });
    expect(await stepJobs(context)).toBe("none");
    const done = await start();
    await runJobs(context);
    expect(await cancelJob(context, done.id)).toMatchObject({ state: "finished" });
    await expect(cancelJob(context, newId(new Date()))).rejects.toMatchObject({ code: "not_found" });
  });

  it("does nothing without the organization's shard", async () => {
    await start();
    const owner = await ownOrganization(context.database, context.organization.id);
    await takeShard(context.database, owner.shard);
    expect(await stepJobs(context, owner)).toBe("none");
  });

  it("waits until an organization has fewer", async () => {
    const starts = await Promise.allSettled(Array.from({ length: MAX_RUNNING + 3 }, () => start()));
    const refused = starts.filter(({ status }) => status === "rejected");
    expect(refused.map((result) => (result as PromiseRejectedResult).reason.code)).toEqual(
      Array.from({ length: 3 }, () => "jobs_running"),
    );
    await runJobs(context);
    await start();
  });

  it("that ends early leaves no more files than others", async () => {
    const { id: organization_id } = context.organization;
    const finish = async (end: (id: string) => Promise<unknown>) => {
      await addMany(1_000);
      const { id } = await start();
      expect(await stepJobs(context)).toBe("stepped");
      await end(id);
    };
    await context.database`
      insert into jobs (organization_id, id, kind, state, input, file_name, file_bytes, started_by, created_at,
        finished_at, due_at)
      select ${organization_id}, gen_random_uuid(), 'affiliates_export', 'finished', '{}', 'a.csv', 1, 'operator', now(),
        now() - interval '1 hour', null
      from generate_series(1, ${MAX_FILES})`;
    const files = async () =>
      (
        await context.database`
          select from jobs where organization_id = ${organization_id} and file_bytes > 0 and files_deleted_at is null`
      ).length;
    await finish((id) => cancelJob(context, id));
    expect(await files()).toBe(MAX_FILES);
    await finish(async (id) => {
      await context.database`update jobs set kind = 'of_the_future' where id = ${id}`;
      expect(await stepJobs(context)).toBe("failed");
    });
    expect(await files()).toBe(MAX_FILES);
  });

  it("keeps its file until the organization has newer ones", async () => {
    const ids: string[] = [];
    for (let number = 0; number < MAX_FILES + 2; number++) {
      ids.push((await start()).id);
      await runJobs(context);
    }
    const has_file = await Promise.all(ids.map(async (id) => (await getJob(context, id)).file !== null));
    expect(has_file).toEqual(ids.map((_, number) => number >= 2));
    const [{ parts } = { parts: 0 }] = await context.database<{ parts: number }[]>`
      select count(*)::int as parts from job_files where organization_id = ${context.organization.id}`;
    expect(parts).toBe(MAX_FILES);
  });
});

describe("the list of jobs", () => {
  it("has payout runs, too, and no other organization's", async () => {
    const job = await start();
    const run = await startPayoutRun(context, { method: "manual" });
    expect((await listJobs(context)).data).toMatchObject([
      { id: run.id, kind: "payout_run", state: "running", period: run.period },
      { id: job.id, kind: "affiliates_export", state: "running" },
    ]);
    const stranger = await makeContext(context.database);
    expect((await listJobs(stranger)).data).toEqual([]);
    await expect(getJob(stranger, job.id)).rejects.toMatchObject({ code: "not_found" });
    await expect(readJobFile(stranger, job.id)).rejects.toMatchObject({ code: "not_found" });
  });

  it("leaves out what finished long ago, in one statement", async () => {
    await start();
    await runJobs(context);
    expect((await listJobs(context)).data).toHaveLength(1);
    await context.database`update jobs set finished_at = now() - interval '25 hours' where finished_at is not null`;
    const { data } = await listJobs(context);
    expect(data).toEqual([]);
    expect(await statementsOf(context.database, () => listJobs(context))).toHaveLength(1);
  });
});
