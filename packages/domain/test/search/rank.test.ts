import { expect, it } from "vitest";
import { idTextOf } from "../../src/id-text.ts";
import { payoutIdTextOf, referenceOf, shortReferenceOf } from "../../src/payouts/reference.ts";
import { trigramsOf } from "../../src/people-with-text.ts";
import { rankOf, ranks } from "../../src/search/rank.ts";

const ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

it.each([
  ["jane@bigco.com", ranks.equal],
  ["jane", ranks.beginning],
  ["bigco", ranks.word],
  ["com", ranks.word],
  ["igc", ranks.inside],
  ["nobody", ranks.related],
])("ranks %s in an address", (text, rank) => {
  expect(rankOf(text, [null, "jane@bigco.com"])).toBe(rank);
});

it("takes the best of all texts and of all places", () => {
  expect(rankOf("an", ["jane", "ann"])).toBe(ranks.beginning);
  expect(rankOf("an", ["jane an"])).toBe(ranks.word);
  expect(rankOf("ü", ["aüü ü"])).toBe(ranks.word);
});

it("reads the beginning, the whole and the end of an id", () => {
  expect(idTextOf(ID)).toEqual({ from: ID, until: ID, end: null });
  expect(idTextOf(ID.replaceAll("-", ""))).toEqual({ from: ID, until: ID, end: null });
  expect(idTextOf("0199d3a1-6")).toEqual({
    from: "0199d3a1-6000-0000-0000-000000000000",
    until: "0199d3a1-6fff-ffff-ffff-ffffffffffff",
    end: null,
  });
  expect(idTextOf("…8c6d1e90")).toEqual({ from: null, until: null, end: "8c6d1e90" });
  expect(idTextOf("8c6d1e90").end).toBe("8c6d1e90");
  for (const text of ["0199d3a", "jane", `${ID}0`, "0199d3a1x", "--------"]) {
    expect(idTextOf(text), text).toEqual({ from: null, until: null, end: null });
  }
});

it("reads the references of payouts", () => {
  expect(payoutIdTextOf(referenceOf(ID).toLowerCase())).toEqual({ from: ID, until: ID, end: null });
  expect(payoutIdTextOf(shortReferenceOf(ID).toLowerCase()).end).toBe("8c6d1e90");
});

it("takes a text apart into three letters or digits each, at most twelve", () => {
  expect(trigramsOf("jane@x")).toEqual(["jan", "ane"]);
  expect(trigramsOf("ja")).toEqual([]);
  expect(trigramsOf("a@b.")).toEqual([]);
  expect(trigramsOf("abcdefghijklmnopqrstuvwxyz")).toHaveLength(12);
});
