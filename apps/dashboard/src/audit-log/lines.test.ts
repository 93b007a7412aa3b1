import { expect, it } from "vitest";
import { linesOf } from "./lines.ts";

const wordOf = (name: string, value: unknown) =>
  name === "type" && value === "multi_select" ? "Multiple choice" : null;

it.each([
  [
    ["jane", "jane-20"],
    ["jane", "jane-20"],
  ],
  [[{ id: "1", label: "Audience?", value: ["Design", "Type"] }], ["Audience?: Design, Type"]],
  [[{ id: "1", label: "Blog", value: "" }], ["Blog: —"]],
  [
    [{ id: "1", label: "Topics", type: "multi_select", options: ["A", "B"], required: false }],
    ["Label: Topics · Type: Multiple choice · Options: A, B · Required: No"],
  ],
  [
    [
      { product_id: "prod_Pro", type: "percentage", amount: 40 },
      { product_id: "prod_1", type: "fixed", amount: 5 },
    ],
    [
      "Product ID: prod_Pro · Type: percentage · Amount: 40%",
      "Product ID: prod_1 · Type: fixed · Amount: $5.00",
    ],
  ],
  [{ enabled: true, type: "percentage", amount: 50 }, ["Enabled: Yes", "Type: percentage", "Amount: 50%"]],
  [
    { de: { name: "Freunde", custom_fields: [{ id: "1", label: "Wo?", options: [] }] } },
    ["German: Name: Freunde · Custom fields: Label: Wo? · Options: —"],
  ],
  [{ deep: { deeper: { deepest: [1, 2] } } }, ["Deep: Deeper: Deepest: 1, 2"]],
])("says %j in lines", (value, lines) => {
  expect(linesOf(value, { currency: "USD", wordOf })).toEqual(lines);
});
