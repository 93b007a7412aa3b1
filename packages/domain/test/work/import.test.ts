import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { checkImport } from "../../src/affiliates/import/check.ts";
import { importAffiliates } from "../../src/affiliates/import/start.ts";
import { listAffiliateRows } from "../../src/affiliates/list-rows.ts";
import type { Context } from "../../src/context.ts";
import { newId } from "../../src/ids.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { getJob } from "../../src/work/jobs/get.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, type Partner } from "../attribution/program.ts";
import { runJobs, stepJobs } from "../work.ts";

let context: Context;
let partner: Partner;

beforeEachInNewProgram((program) => {
  ({ context, partner } = program);
});

const start = (csv: string, fields: object = {}) =>
  importAffiliates(
    context,
    { campaign_id: partner.campaign_id, approved: true, ...fields },
    Readable.from([Buffer.from(csv)]),
  );

async function run(csv: string): Promise<{ result: object | null; lines: string[] }> {
  const { id } = await start(csv);
  await runJobs(context);
  const job = await getJob(context, id);
  expect(job).toMatchObject({ state: "finished", done: job.total });
  let text = "";
  for await (const part of (await readJobFile(context, id)).content) text += part;
  return { result: job.result, lines: text.trimEnd().split("\r\n").slice(1) };
}

const countAll = async () =>
  (await context.database`select from affiliates where organization_id = ${context.organization.id}`).length;

it("reads its own export, with its byte-order mark, and refuses other encodings", async () => {
  const text = "\ufeffemail,first_name\njoerg@example.com,J\u00f6rg\n";
  expect((await run(text)).result).toMatchObject({ created: 1, wrong: 0 });
  const { data } = await listAffiliateRows(context, { limit: 10, text: "joerg" });
  expect(data).toMatchObject([{ first_name: "J\u00f6rg" }]);
  const latin = Readable.from([Buffer.from(text.slice(1), "latin1")]);
  const input = { campaign_id: partner.campaign_id, approved: true };
  await expect(importAffiliates(context, input, latin)).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "line 2", message: expect.stringMatching(/not UTF-8/) }],
  });
});

describe("an import of affiliates", () => {
  const FILE = [
    "email,first_name,ref_code",
    "ann@example.com,Ann,ann",
    "not an email,Bob,",
    "ANN@example.com,Ann again,",
    "kim@example.com,Kim,ann",
    '"lee@example.com","=Lee",',
    "-lee@example.com,Lee,",
  ].join("\n");

  it("creates each line once, and says why it left out others", async () => {
    const { result, lines } = await run(FILE);
    expect(result).toEqual({ created: 2, existed: 1, wrong: 3 });
    expect(lines.map((line) => line.split(",").slice(0, 3))).toEqual([
      ["2", "ann@example.com", "created"],
      ["3", "not an email", "wrong"],
      ["4", "ANN@example.com", "existed"],
      ["5", "kim@example.com", "wrong"],
      ["6", "lee@example.com", "created"],
      ["7", "'-lee@example.com", "wrong"],
    ]);
    expect(lines[3]).toContain("Another affiliate has the code.");
    const { data } = await listAffiliateRows(context, { limit: 10, state: "active" });
    expect(data.map(({ email, first_name, code }) => [email, first_name, code])).toEqual(
      expect.arrayContaining([
        ["ann@example.com", "Ann", "ann"],
        ["lee@example.com", "=Lee", "lee"],
      ]),
    );
    const [event] = await context.database`
      select actor from audit_log_entries where organization_id = ${context.organization.id} and resource = 'affiliate'
      order by id desc limit 1`;
    expect(event).toEqual({ actor: "operator" });
  });

  it("keeps a note apart from the affiliate's own words", async () => {
    const { result } = await run("email,details,note\nann@example.com,I write.,Met in Berlin");
    expect(result).toMatchObject({ created: 1 });
    const stored = await context.database`
      select details, note from affiliates
      where organization_id = ${context.organization.id} and email = 'ann@example.com'`;
    expect(stored).toEqual([{ details: "I write.", note: "Met in Berlin" }]);
  });

  it("of the same file again changes nothing", async () => {
    await run(FILE);
    const before = await countAll();
    expect((await run(FILE)).result).toEqual({ created: 0, existed: 3, wrong: 3 });
    expect(await countAll()).toBe(before);
  });

  it("works in parts, and forgets its lines at the end", async () => {
    const emails = Array.from({ length: 250 }, (_, number) => `same.name${number}@example.com,Same`);
    const { id } = await start(["email,first_name", ...emails].join("\n"));
    expect(await stepJobs(context)).toBe("stepped");
    expect(await getJob(context, id)).toMatchObject({ done: 100, total: 250, result: { created: 100 } });
    await runJobs(context);
    expect(await getJob(context, id)).toMatchObject({
      state: "finished",
      done: 250,
      result: { created: 250 },
    });
    expect(await context.database`select from job_files where job_id = ${id} and file = 'input'`).toEqual([]);
    expect(await countAll()).toBe(251);
  });

  it.each([
    ["a,b\n1,2", /Unknown column “a”/],
    ["first_name\nAnn", /email is required/],
    ["email,email\na,b", /Each column/],
    ["email\n", /no lines/],
    ['email\n"a', /not valid CSV/],
    [`email\n${"a@example.com\n".repeat(10_001)}`, /more than 10000 lines/],
  ])("refuses another file at once", async (csv, message) => {
    await expect(start(csv)).rejects.toSatisfy(
      ({ message: reported, issues = [] }) =>
        message.test(reported) || issues.some((issue: { message: string }) => message.test(issue.message)),
    );
    expect(
      await context.database`select from jobs where organization_id = ${context.organization.id}`,
    ).toEqual([]);
  });

  it("is judged before without writing", async () => {
    const id = await addAffiliate(context, {
      campaign_id: partner.campaign_id,
      email: "kim@example.com",
      ref_code: "kim",
    });
    const before = await countAll();
    const judged = await checkImport(context, {
      campaign_id: partner.campaign_id,
      lines: [
        { email: "ann@example.com", first_name: "Ann" },
        { email: "KIM@example.com" },
        { email: "x", first_name: "y".repeat(101) },
        { email: "lee@example.com", ref_code: "KIM", promo_code: "LEE" },
        {},
      ],
    });
    expect(
      judged.map(({ outcome, affiliate_id, issues }) => [
        outcome,
        affiliate_id,
        issues.map(({ path }) => path),
      ]),
    ).toEqual([
      ["new", null, []],
      ["exists", id, []],
      ["wrong", null, ["email", "first_name"]],
      ["wrong", null, ["promo_code", "ref_code"]],
      ["wrong", null, ["email"]],
    ]);
    expect(await countAll()).toBe(before);
    const unknown = newId(new Date());
    await expect(checkImport(context, { campaign_id: unknown, lines: [{}] })).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
