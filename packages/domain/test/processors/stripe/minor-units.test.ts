import { currencyDecimals } from "@findersfee/contract/currencies";
import { describe, expect, it } from "vitest";
import { minorUnits } from "../../../src/processors/stripe/fields.ts";
import { catchUnsupported } from "../../../src/processors/unsupported.ts";

function reasonOf(amount: number, currency: string): string {
  const parsed = catchUnsupported(() => {
    minorUnits({ amount, currency, path: "data.object.amount" });
    return { outcome: "facts", facts: [] };
  });
  return parsed.outcome === "facts" ? "" : parsed.reason;
}

describe("minorUnits", () => {
  it.each([
    ["USD", 1999, 1999n],
    ["USD", -500, -500n],
    ["EUR", 0, 0n],
    ["JPY", 500, 500n],
    ["KWD", 5120, 5120n],
    ["TND", 10, 10n],
    ["MGA", 500, 50_000n],
    ["ISK", 500, 5n],
    ["UGX", 500, 5n],
    ["HUF", 1045, 1045n],
    ["TWD", 80_000, 80_000n],
    ["USD", Number.MAX_SAFE_INTEGER, 9_007_199_254_740_991n],
  ])("reads %s %d as %s", (currency, amount, minor) => {
    expect(minorUnits({ amount, currency, path: "" })).toBe(minor);
  });

  it("rejects amounts that are not exact", () => {
    expect(reasonOf(550, "ISK")).toMatch(/^data\.object\.amount: 550 is no whole amount of ISK/);
    expect(reasonOf(-1, "UGX")).toMatch(/no whole amount of UGX/);
  });

  it("rejects currencies that ISO 4217 or Stripe lacks", () => {
    expect(reasonOf(1, "XXQ")).toBe("data.object.amount: XXQ is no currency of ISO 4217.");
    expect(reasonOf(1, "IQD")).toMatch(/Stripe does not document/);
  });

  it("knows how Stripe writes each currency without decimals", () => {
    // https://docs.stripe.com/currencies#zero-decimal, where UGX is a special case and MGA has decimals in ISO 4217.
    const listed = "BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF".split(" ");
    for (const currency of listed) {
      expect(currencyDecimals(currency)).toBe(0);
      expect(minorUnits({ amount: 7, currency, path: "" })).toBe(7n);
    }
  });
});
