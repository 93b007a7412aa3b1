import type { FilePayoutRow } from "@findersfee/database/payouts/files";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readAmount, writeAmount } from "../../src/csv/amount.ts";
import { writeLines } from "../../src/csv/write-lines.ts";
import { foreignOf, problemOf } from "../../src/payouts/files/check.ts";
import { csv } from "../../src/payouts/files/csv.ts";
import type { PayoutFormat, Result } from "../../src/payouts/files/format.ts";
import { paypal } from "../../src/payouts/files/paypal.ts";
import { wise } from "../../src/payouts/files/wise.ts";
import {
  endingOf,
  endingOfReference,
  idOf,
  referenceOf,
  shortReferenceOf,
} from "../../src/payouts/reference.ts";

const PAYOUT: FilePayoutRow = {
  id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  affiliate_id: "0199d3a1-6a7e-7c44-9a51-000000000001",
  affiliate_name: "Jane Doe",
  payout_email: "jane@example.com",
  amount_minor: 12050n,
  currency: "USD",
  period: "2026-11",
  payment_count: 4,
  status: "pending",
  method: "manual",
};

describe("the lines of a file", () => {
  it("contain recipient, amount, currency, reference, note and wallet for PayPal, without a header", () => {
    expect(paypal.header).toBeNull();
    expect(writeLines([paypal.line(PAYOUT)])).toBe(
      `jane@example.com,120.50,USD,${referenceOf(PAYOUT.id)},Affiliate payout 2026-11,PAYPAL\r\n`,
    );
    expect(paypal.payouts_per_file).toBe(5_000);
  });

  it("follow Wise's template for recipients by email", () => {
    expect(writeLines([wise.header ?? [], wise.line(PAYOUT)])).toBe(
      "name,recipientEmail,paymentReference,receiverType,amountCurrency,amount,sourceCurrency,targetCurrency\r\n" +
        `Jane Doe,jane@example.com,${shortReferenceOf(PAYOUT.id)},PERSON,target,120.50,USD,USD\r\n`,
    );
    expect(wise.payouts_per_file).toBe(1_000);
  });

  it.each([paypal, wise])("have the exact address", (format) => {
    const payout_email = "-o'neil+=@example.com";
    const line = writeLines([format.line({ ...PAYOUT, payout_email, affiliate_name: "=1+1" })]);
    expect(line).toMatch(/(^|,)-o'neil\+=@example\.com,/);
    expect(line).not.toContain("'-");
    expect(line).not.toMatch(/(^|,)=1/);
  });

  it("contain all fields of a payout in plain CSV", () => {
    expect(writeLines([csv.header ?? [], csv.line(PAYOUT)])).toBe(
      "payout_id,affiliate_id,affiliate_name,payout_email,amount,currency,period,payment_count,method,status\r\n" +
        `${PAYOUT.id},${PAYOUT.affiliate_id},Jane Doe,jane@example.com,120.50,USD,2026-11,4,manual,pending\r\n`,
    );
  });
});

describe("a reference", () => {
  it("has the provider's format and identifies the payout in any case", () => {
    const uuids = fc.uuid().map((id) => id.toLowerCase());
    fc.assert(
      fc.property(uuids, (id) => {
        const reference = referenceOf(id);
        expect(reference).toMatch(/^[0-9A-Z]{26}$/);
        expect(idOf(reference)).toBe(id);
        expect(idOf(reference.toLowerCase())).toBe(id);
        expect(shortReferenceOf(id)).toMatch(/^[0-9A-Z]{10}$/);
        expect(endingOfReference(shortReferenceOf(id).toLowerCase())).toBe(endingOf(id));
      }),
    );
  });

  it("is rejected in any other form", () => {
    for (const text of ["", "Rent", "Z".repeat(26), "0".repeat(25), `${"0".repeat(25)}U`, PAYOUT.id]) {
      expect(idOf(text)).toBeNull();
      expect(endingOfReference(text)).toBeNull();
    }
    expect(endingOfReference("ZZZZZZZZZZ")).toBeNull();
  });
});

describe("an amount", () => {
  it.each([
    [12050n, "USD", "120.50"],
    [5n, "USD", "0.05"],
    [120n, "JPY", "120"],
    [1n, "KWD", "0.001"],
    [99_999_999_999_999n, "USD", "999999999999.99"],
  ])("of %s in %s is written %s", (minor, currency, text) => {
    expect(writeAmount(minor, currency)).toBe(text);
    expect(readAmount(text, currency)).toBe(minor);
  });

  it.each([
    ["5.0", "USD", 500n],
    ["5", "USD", 500n],
    ["-1,234.50", "USD", -123450n],
    ["100.000", "JPY", 100n],
    ["1.234", "USD", null],
    ["0.5", "JPY", null],
    ["100,50", "USD", null],
    ["1e3", "USD", null],
    [" 5", "USD", null],
    ["", "USD", null],
    ["5", "XXX", null],
  ])("%j in %s is read as %s", (text, currency, minor) => {
    expect(readAmount(text, currency)).toBe(minor);
  });

  it("is read as it was written, with each currency's decimals", () => {
    const minors = fc.bigInt({ min: 1n, max: 99_999_999_999_999n });
    fc.assert(
      fc.property(minors, fc.constantFrom("USD", "JPY", "KWD"), (minor, currency) => {
        expect(readAmount(writeAmount(minor, currency), currency)).toBe(minor);
      }),
    );
  });
});

describe("the results", () => {
  const HEADERS = {
    paypal: ["Date", "Type", "Status", "Currency", "Gross", "Item ID", "Custom Number"],
    wise: [
      "ID",
      "Status",
      "Direction",
      "Target amount (after fees)",
      "Target currency",
      "Reference",
      "Batch",
      "Note",
    ],
    csv: ["payout_id", "amount", "currency", "status", "reason"],
  };

  const paypalLine = (status: string) => [
    "2026-11-20",
    "Mass payment",
    status,
    "USD",
    "-120.50",
    "",
    referenceOf(PAYOUT.id),
  ];
  const wiseLine = (status: string, direction = "OUT") => {
    const reference = shortReferenceOf(PAYOUT.id);
    return ["TRANSFER-1", status, direction, "120.5", "USD", reference, "B1", ""];
  };
  const csvLine = (status: string) => [PAYOUT.id, "120.50", "USD", status, "no such account"];

  function read(format: PayoutFormat, header: string[], record: string[]): Result {
    const reader = format.results(new Map(header.map((name, place) => [name.toLowerCase(), place])));
    if (typeof reader !== "function") throw new Error(`missing: ${reader.join()}`);
    return reader(record);
  }

  it.each([
    ["SUCCESS", "paid"],
    ["Completed", "paid"],
    ["FAILED", "failed"],
    ["RETURNED", "returned"],
    ["BLOCKED", "failed"],
    ["REFUNDED", "returned"],
    ["REVERSED", "returned"],
    ["Denied", "failed"],
    ["PENDING", "open"],
    ["Unclaimed", "open"],
    ["ONHOLD", "open"],
    ["Strange", null],
    ["", null],
  ])("of PayPal's status %j is %s", (status, outcome) => {
    const result = read(paypal, HEADERS.paypal, paypalLine(status));
    expect(result.outcome).toBe(outcome);
    expect(paypal.nameOf(result.reference)).toBe(PAYOUT.id);
    if (outcome !== null) expect(problemOf(result, [PAYOUT])).toBeNull();
    else expect(problemOf(result, [PAYOUT])).toBe(`The status "${status}" is unknown.`);
  });

  it.each([
    ["COMPLETED", "paid"],
    ["CANCELLED", "failed"],
    ["REFUNDED", "returned"],
    ["PENDING", "open"],
    ["Strange", null],
  ])("of Wise's status %j is %s", (status, outcome) => {
    const result = read(wise, HEADERS.wise, wiseLine(status));
    expect(result.outcome).toBe(outcome);
    expect(wise.nameOf(result.reference)).toBe(endingOf(PAYOUT.id));
    if (outcome !== null) expect(problemOf(result, [PAYOUT])).toBeNull();
  });

  it("include only outgoing payments of an activity report", () => {
    const came = paypalLine("Completed").map((cell) => cell.replace("-120.50", "120.50"));
    expect(problemOf(read(paypal, HEADERS.paypal, came), [PAYOUT])).toMatch(/^The amount "120.50"/);
    const incoming = read(wise, HEADERS.wise, wiseLine("COMPLETED", "IN"));
    expect(foreignOf(incoming, [PAYOUT])).toBe("Not a transfer to a recipient.");
  });

  it("contain the provider's reason of a failure", () => {
    const header = ["Status", "Currency", "Amount", "Customer ID", "Error message"];
    const record = ["FAILED", "USD", "120.50", referenceOf(PAYOUT.id), "RECEIVER_ACCOUNT_LOCKED"];
    expect(read(paypal, header, record)).toMatchObject({ reason: "FAILED: RECEIVER_ACCOUNT_LOCKED" });
    expect(read(csv, HEADERS.csv, csvLine("failed"))).toMatchObject({ reason: "no such account" });
    expect(read(wise, HEADERS.wise, wiseLine("REFUNDED"))).toMatchObject({ reason: "REFUNDED" });
  });

  it.each([
    [csv, ["payout_id", "amount"], ["currency", "status"]],
    [paypal, ["Status", "Gross"], ["currency", "customer id"]],
    [wise, ["Status", "Reference"], ["direction", "target amount (after fees)", "target currency"]],
  ])("reports the columns that a header lacks", (format, header, missing) => {
    const columns = new Map(header.map((name, place) => [name.toLowerCase(), place] as const));
    expect(format.results(columns)).toEqual(missing);
  });
});
