import { describe, expect, it } from "vitest";
import { parseRatesFile, RatesFileError } from "./parse-file.ts";

const DAILY = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>
		<Cube time='2026-11-26'>
			<Cube currency='USD' rate='1.0812'/>
			<Cube currency='JPY' rate='163.40'/>
		</Cube>
	</Cube>
</gesmes:Envelope>`;

/** As the file since 1999 is written: double quotes, no line breaks. */
const HISTORY = `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject><gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube><Cube time="2026-11-26"><Cube currency="USD" rate="1.0812"/><Cube currency="IDR" rate="17642.1"/></Cube><Cube time="2026-11-25"><Cube currency="USD" rate="1.08"/><Cube currency="HRK" rate="7.5365"/></Cube></Cube></gesmes:Envelope>`;

describe("XML", () => {
  it("has the rates of a day, in single quotes", () => {
    expect(parseRatesFile(DAILY)).toEqual([
      { day: "2026-11-26", currency: "USD", rate: "1.0812" },
      { day: "2026-11-26", currency: "JPY", rate: "163.4" },
    ]);
    expect(parseRatesFile(`\uFEFF${DAILY.replaceAll("\n", "\r\n")}\n`)).toHaveLength(2);
  });

  it("has the rates of many days, in double quotes, without currencies that are gone", () => {
    expect(parseRatesFile(HISTORY)).toEqual([
      { day: "2026-11-26", currency: "USD", rate: "1.0812" },
      { day: "2026-11-26", currency: "IDR", rate: "17642.1" },
      { day: "2026-11-25", currency: "USD", rate: "1.08" },
    ]);
  });

  it.each([
    ["another document", DAILY.replace("vocabulary/2002-08-01/eurofxref", "other"), /is no envelope/],
    [
      "a document type",
      DAILY.replace("<gesmes:Envelope", "<!DOCTYPE a>\n<gesmes:Envelope"),
      /^Line 2 is no tag/,
    ],
    ["a comment", DAILY.replace("<Cube>", "<!-- <Cube> -->"), /^Line 7 is no tag/],
    ["a rate without a day", DAILY.replace(" time='2026-11-26'", ""), /^Line 9 has a rate outside of a day/],
    ["a day that does not exist", DAILY.replace("11-26", "02-30"), /^Line 8 has no valid day/],
    ["a rate of zero", DAILY.replace("1.0812", "0.0000"), /^Line 9 has no valid rate of USD/],
    ["a negative rate", DAILY.replace("1.0812", "-1.0812"), /no valid rate of USD/],
    ["a decimal comma", DAILY.replace("1.0812", "1,0812"), /no valid rate of USD/],
    ["an exponent", DAILY.replace("1.0812", "1e3"), /no valid rate of USD/],
    ["too many digits", DAILY.replace("1.0812", "1.08120000001"), /no valid rate of USD/],
    ["no currency", DAILY.replace("'USD'", "'US'"), /names no currency/],
    ["the base currency", DAILY.replace("'USD'", "'EUR'"), /names no currency/],
    ["a currency twice", DAILY.replace("'JPY'", "'USD'"), /two rates of USD for 2026-11-26/],
    ["a rate that is missing", DAILY.replace(" rate='1.0812'", ""), /no valid rate of USD/],
    ["quotes that do not end", DAILY.replace("'1.0812'", "'1.0812"), /^Line 9 has an attribute/],
    ["an end that is missing", DAILY.replace("</gesmes:Envelope>", ""), /ends in the middle/],
    [
      "an end of another element",
      DAILY.replace("</gesmes:Sender>", "</gesmes:other>"),
      /ends another element/,
    ],
    ["half of a file", HISTORY.slice(0, 500), /no tag of this format|in the middle/],
    ["two documents", DAILY + DAILY.slice(DAILY.indexOf("<gesmes")), /is no envelope/],
    ["no rates", DAILY.replace(/<Cube currency.*\/>/g, ""), /has no rates/],
    ["a page of HTML", "<!doctype html><html></html>", /^Line 1 is no tag/],
    ["nothing", " \n", /is empty/],
  ])("with %s is refused", (_, text, message) => {
    expect(() => parseRatesFile(text)).toThrow(RatesFileError);
    expect(() => parseRatesFile(text)).toThrow(message);
  });

  it("of all days since 1999 is read in a moment", () => {
    const rates = Array.from(
      { length: 30 },
      (_, index) => `<Cube currency="${CODES[index]}" rate="1.${index + 1}"/>`,
    );
    const days = Array.from({ length: 7_000 }, (_, index) => {
      const day = new Date(Date.UTC(1999, 0, 4 + index)).toISOString().slice(0, 10);
      return `<Cube time="${day}">${rates.join("")}</Cube>`;
    });
    const text = HISTORY.replace(/<Cube>.*<\/Cube>/, `<Cube>${days.join("")}</Cube>`);
    expect(parseRatesFile(text)).toHaveLength(210_000);
  });

  it("of more than 32 MiB is refused unread", () => {
    expect(() => parseRatesFile("<".padEnd(32 * 1024 * 1024 + 1, "a"))).toThrow("larger than 32 MiB");
  });
});

const CODES =
  "USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR KRW MXN MYR NZD PHP SGD THB ZAR BGN".split(
    " ",
  );

describe("CSV", () => {
  it("has a line per day, with rates that were not published", () => {
    expect(
      parseRatesFile("Date,USD,JPY,CYP,\n2026-11-26,1.0812,163.40,N/A,\r\n2026-11-25,1.08,N/A,0.5,\n\n"),
    ).toEqual([
      { day: "2026-11-26", currency: "USD", rate: "1.0812" },
      { day: "2026-11-26", currency: "JPY", rate: "163.4" },
      { day: "2026-11-25", currency: "USD", rate: "1.08" },
    ]);
  });

  it("of one day writes the day in words, with spaces", () => {
    expect(parseRatesFile("Date, USD, JPY, \n26 November 2026, 1.0812, 163.40, \n")).toEqual([
      { day: "2026-11-26", currency: "USD", rate: "1.0812" },
      { day: "2026-11-26", currency: "JPY", rate: "163.4" },
    ]);
  });

  it.each([
    ["another header", "Day,USD\n2026-11-26,1.08", /neither XML nor CSV/],
    ["a cell too few", "Date,USD,JPY\n2026-11-26,1.08", /^Line 2 has 1 rates instead of 2/],
    ["a month that does not exist", "Date,USD\n26 Nov 2026,1.08", /^Line 2 has no valid day/],
    ["a currency twice", "Date,USD,USD\n2026-11-26,1.08,1.09", /two rates of USD/],
    ["no rates", "Date,USD\n2026-11-26,N/A", /has no rates/],
  ])("with %s is refused", (_, text, message) => {
    expect(() => parseRatesFile(text)).toThrow(message);
  });
});
