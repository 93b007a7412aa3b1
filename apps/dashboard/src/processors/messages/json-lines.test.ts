import { expect, it } from "vitest";
import { fieldOf, jsonLines, lineOf } from "./json-lines.ts";

const BODY = '{"type":"payment","data":{"amount":null,"lines":[{"price":1},{"price":"x"}],"none":{}}}';

it.each(["null", '"x"', "[]", "[1,[2,{}],[]]", '{"":{"a\\n":[true,-1.5e9]},"b":"<&"}', BODY])(
  "prints %s as JSON.stringify does",
  (text) => {
    const lines = jsonLines(text) ?? [];
    expect(lines.map((line) => line.text).join("\n")).toBe(JSON.stringify(JSON.parse(text), null, 2));
  },
);

it("knows what is not JSON", () => {
  expect(jsonLines("{")).toBeNull();
});

it("finds the line of a field, or of the nearest value around a missing one", () => {
  const lines = jsonLines(BODY) ?? [];
  const textOf = (field: string) => {
    const index = lineOf(lines, field);
    return index === null ? null : lines[index]?.text.trim();
  };
  expect(textOf("data.amount")).toBe('"amount": null,');
  expect(textOf("data.lines[1].price")).toBe('"price": "x"');
  expect(textOf("data.lines[1].missing")).toBe("{");
  expect(textOf("data.lines[7].price")).toBe('"lines": [');
  expect(textOf("data.currency")).toBe('"data": {');
  expect(textOf("nothing")).toBeNull();
});

it("reads the field from the beginning of a reason", () => {
  expect(fieldOf("data.lines[0].amount: Must be a number.")).toBe("data.lines[0].amount");
  expect(fieldOf("connected_account: The event belongs to another.")).toBe("connected_account");
  expect(fieldOf("Stripe answered 500.")).toBeNull();
  expect(fieldOf(null)).toBeNull();
});
