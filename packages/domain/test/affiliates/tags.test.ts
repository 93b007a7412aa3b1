/* The tags by which a team sorts its affiliates. */
import { createAffiliateInput, updateAffiliateInput } from "@findersfee/contract/affiliates/affiliates";
import { isUnavailable } from "@findersfee/database/postgres/errors";
import { failEachCall, LOST_ANSWERS } from "@findersfee/database/testing/faults/each-call";
import { describe, expect, it } from "vitest";
import { getAffiliate } from "../../src/affiliates/get.ts";
import { checkImport } from "../../src/affiliates/import/check.ts";
import { importAffiliates } from "../../src/affiliates/import/start.ts";
import { listAffiliates } from "../../src/affiliates/list.ts";
import { countAffiliates, listAffiliateRows, matchAffiliates } from "../../src/affiliates/list-rows.ts";
import { listTags, tagAffiliates } from "../../src/affiliates/tags.ts";
import { updateAffiliate } from "../../src/affiliates/update.ts";
import type { CreationContext } from "../../src/commissions/create.ts";
import { eraseAffiliate } from "../../src/erasure/affiliate.ts";
import { newId } from "../../src/ids.ts";
import { readJobFile } from "../../src/work/jobs/file.ts";
import { startJob } from "../../src/work/jobs/start.ts";
import { beforeEachInNewProgram } from "../attribution/new-program.ts";
import { addAffiliate, type Partner } from "../attribution/program.ts";
import { history } from "../audit-log/history.ts";
import { runJobs } from "../work.ts";

let context: CreationContext;
let partner: Partner;
let url: string;

beforeEachInNewProgram((program) => {
  ({ context, partner, url } = program);
});

const add = (...tags: string[]) => addAffiliate(context, { campaign_id: partner.campaign_id, tags });
const tagsOf = async (id: string) => (await getAffiliate(context, id)).tags;
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `tag ${index + 10}`);
const range = { limit: 10, cursor: "" };

describe("tags in a request", () => {
  it("are written in one way, each once, in order", () => {
    const tags = ["  Agency ", "VIP", "big   spender", "vip", "cafe\u0301"];
    expect(createAffiliateInput.parse({ email: "jane@example.com", tags }).tags).toEqual([
      "agency",
      "big spender",
      "café",
      "vip",
    ]);
  });

  it.each([
    ["a comma", ["a,b"]],
    ["a blank tag", ["  "]],
    ["a long tag", ["x".repeat(41)]],
    ["too many", numbered(21)],
  ])("are refused with %s", (_name, tags) => {
    expect(updateAffiliateInput.safeParse({ id: partner.affiliate_id, tags }).error?.issues[0]?.path[0]).toBe(
      "tags",
    );
  });
});

describe("an affiliate's tags", () => {
  it("are none by default, replaced by an update, and in the audit log", async () => {
    const id = await add();
    expect(await tagsOf(id)).toEqual([]);
    expect(await updateAffiliate(context, { id, tags: ["agency", "vip"] })).toMatchObject({
      tags: ["agency", "vip"],
    });
    await updateAffiliate(context, { id, tags: ["agency", "vip"] });
    await updateAffiliate(context, { id, first_name: "Jane" });
    expect(await tagsOf(id)).toEqual(["agency", "vip"]);
    const [created, tagged, ...others] = await history(context, { resource_id: id });
    expect(created?.after).toMatchObject({ tags: [] });
    expect(tagged).toMatchObject({ before: { tags: [] }, after: { tags: ["agency", "vip"] } });
    expect(others).toMatchObject([{ after: { first_name: "Jane" } }]);
  });

  it("are in no event", async () => {
    await add("secret tag");
    const [row] = await context.database<[{ count: number }]>`
      select count(*)::int as count from events where body like '%secret tag%'`;
    expect(row.count).toBe(0);
  });

  it("go with the affiliate's data, from the audit log, too", async () => {
    const id = await add("agency");
    await eraseAffiliate(context, id);
    expect(await tagsOf(id)).toEqual([]);
    const [created] = await history(context, { resource_id: id });
    expect(created?.after?.tags).toBe("[erased]");
    await expect(updateAffiliate(context, { id, tags: ["agency"] })).rejects.toMatchObject({
      issues: [{ path: "tags" }],
    });
    expect(await updateAffiliate(context, { id, tags: [] })).toMatchObject({ tags: [] });
    await expect(
      context.database`update affiliates set tags = '{agency}' where id = ${id}`,
    ).rejects.toMatchObject({
      constraint_name: "affiliates_tags_erased",
    });
  });

  it.each([["{a,a}"], ['{""}'], [`{${numbered(21).join()}}`], [`{${"x".repeat(41)}}`], ["{a,null}"]])(
    "cannot be %s in the database",
    async (tags) => {
      await expect(
        context.database`update affiliates set tags = ${tags}::text::text[] where id = ${partner.affiliate_id}`,
      ).rejects.toMatchObject({ constraint_name: "affiliates_tags" });
    },
  );
});

describe("a list", () => {
  it("is filtered by a tag", async () => {
    const [first, second] = [await add("agency", "vip"), await add("vip")];
    await add();
    const idsOf = async (tag: string) =>
      (await listAffiliates(context, { ...range, tag })).data.map(({ id }) => id);
    expect([await idsOf("vip"), await idsOf("agency"), await idsOf("other")]).toEqual([
      [second, first],
      [first],
      [],
    ]);
    const rows = await listAffiliateRows(context, { limit: 10, tag: "vip" });
    expect(rows.data.map(({ id, tags }) => ({ id, tags }))).toEqual([
      { id: second, tags: ["vip"] },
      { id: first, tags: ["agency", "vip"] },
    ]);
    expect(await countAffiliates(context, { tag: "vip" })).toMatchObject({ count: 2 });
    expect(await matchAffiliates(context, { tag: "agency" })).toMatchObject({ data: [{ id: first }] });
    expect(await listTags(context)).toEqual({ tags: ["vip", "agency"] });
  });

  it("is searched by a part of a tag, as long as an affiliate has it", async () => {
    const id = await add("big spender");
    const found = async () =>
      (await listAffiliateRows(context, { limit: 10, text: "Spend" })).data.map((row) => row.id);
    expect(await found()).toEqual([id]);
    await updateAffiliate(context, { id, tags: ["agency"] });
    expect(await found()).toEqual([]);
  });
});

describe("a file", () => {
  it("brings tags with commas between them", async () => {
    const { campaign_id } = partner;
    const email = "imported@example.com";
    const lines = [
      { email, tags: "VIP, Agency,, vip" },
      { email: "other@example.com", tags: "x".repeat(41) },
    ];
    expect(await checkImport(context, { campaign_id, lines })).toMatchObject([
      { outcome: "new" },
      { outcome: "wrong", issues: [expect.objectContaining({ path: "tags" })] },
    ]);
    const file = new Blob([`email,tags\n${email},"VIP, Agency,, vip"\n`]).stream();
    await importAffiliates(context, { campaign_id, approved: true }, file);
    await runJobs(context);
    const { data } = await listAffiliates(context, { ...range, email });
    expect(data).toMatchObject([{ tags: ["agency", "vip"] }]);
  });

  it("has them in its last column", async () => {
    const ids = [await add("agency", "vip")];
    const { id } = await startJob(context, { kind: "affiliates_export", input: { ids } });
    await runJobs(context);
    let text = "";
    for await (const part of (await readJobFile(context, id)).content) text += part;
    const [header, line] = text.trim().split("\r\n");
    expect(header).toMatch(/,joined,tags$/);
    expect(line).toMatch(/,"agency, vip"$/);
  });
});

describe("tags of several affiliates", () => {
  it("are added and removed, and those that have them already stay as they are", async () => {
    const ids = [await add("old"), await add("agency"), await add()];
    const change = { ids, add: ["agency"], remove: ["old"] };
    expect(await tagAffiliates(context, change)).toEqual({ changed: 2 });
    expect(await tagAffiliates(context, change)).toEqual({ changed: 0 });
    expect(await Promise.all(ids.map(tagsOf))).toEqual([["agency"], ["agency"], ["agency"]]);
  });

  it("change for all or none", async () => {
    const [first, full] = [await add(), await add(...numbered(20))];
    const change = { add: ["one more"], remove: [] };
    await expect(tagAffiliates(context, { ids: [first, full], ...change })).rejects.toMatchObject({
      issues: [{ path: "add" }],
    });
    const ids = [first, newId(new Date())];
    await expect(tagAffiliates(context, { ids, ...change })).rejects.toMatchObject({ code: "not_found" });
    expect(await tagsOf(first)).toEqual([]);
    expect(await tagAffiliates(context, { ids: [full], add: ["one more"], remove: ["tag 10"] })).toEqual({
      changed: 1,
    });
  });

  it.each(LOST_ANSWERS)("change completely or not at all, whichever call fails: %s", async (kind) => {
    let failed = 0;
    await failEachCall(url, kind, async (database) => {
      const ids = [await add(), await add("old")];
      const attempt = tagAffiliates({ ...context, database }, { ids, add: ["agency"], remove: ["old"] });
      const is_failed = await attempt.then(() => false, isUnavailable);
      failed += is_failed ? 1 : 0;
      const tags = (await Promise.all(ids.map(tagsOf))).map((own) => own.join());
      const changed = await Promise.all(
        ids.map(async (id) => (await history(context, { resource_id: id })).length - 1),
      );
      const took_effect = tags.includes("agency");
      expect(took_effect || is_failed).toBe(true);
      expect([tags, changed]).toEqual(
        took_effect
          ? [
              ["agency", "agency"],
              [1, 1],
            ]
          : [
              ["", "old"],
              [0, 0],
            ],
      );
      // Sent again, it completes.
      await tagAffiliates(context, { ids, add: ["agency"], remove: ["old"] });
      expect(await Promise.all(ids.map(tagsOf))).toEqual([["agency"], ["agency"]]);
    });
    expect(failed).toBeGreaterThan(1);
  });
});
