import { isCurrency } from "@findersfee/contract/currencies";
import { BASE_CURRENCY, rateText, scaledRate } from "./rate.ts";

/** A rate in a file. */
export interface FileRate {
  day: string;
  currency: string;
  /** Units of the currency for 1 euro, as decimal text without trailing zeros. */
  rate: string;
}

/** All rates since 1999 are 8 MB of XML; the file grows by 300 KB a year. */
export const MAX_FILE_BYTES = 32 * 1024 * 1024;

/** A file is no file of reference rates. The message says where and why. */
export class RatesFileError extends Error {
  override readonly name = "RatesFileError";
}

/**
 * Reads a file of the European Central Bank's reference rates: XML or CSV, of a day, of 90 days or since 1999. Currencies that no
 * longer exist are left out, as are rates that the bank did not publish (`N/A`).
 *
 * @throws RatesFileError
 */
export function parseRatesFile(text: string): FileRate[] {
  if (Buffer.byteLength(text) > MAX_FILE_BYTES) {
    throw new RatesFileError(`The file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MiB.`);
  }
  const content = text.replace(/^\uFEFF/, "").trim();
  if (content === "") throw new RatesFileError("The file is empty.");
  const rates = content.startsWith("<") ? parseXml(content) : parseCsv(content);
  if (rates.length === 0) throw new RatesFileError("The file has no rates.");
  const known = new Set<string>();
  for (const { day, currency } of rates) {
    const name = `${day} ${currency}`;
    if (known.has(name)) throw new RatesFileError(`The file has two rates of ${currency} for ${day}.`);
    known.add(name);
  }
  return rates;
}

const NAMESPACE = "http://www.ecb.int/vocabulary/2002-08-01/eurofxref";

/** `<Cube time="2026-11-26">`, `<Cube currency='USD' rate='1.0812'/>`, `</Cube>`: a name and attributes, which hold no `>`. */
const TAG = /<(\/?)([A-Za-z][A-Za-z0-9:._-]{0,63})([^<>]{0,500}?)(\/?)>/y;
const ATTRIBUTE = /\s+([A-Za-z][A-Za-z0-9:._-]{0,63})\s{0,9}=\s{0,9}(?:"([^"<>]{0,300})"|'([^'<>]{0,300})')/y;

/**
 * Reads the elements of this one format in order, and refuses everything else: no document type, no entities, no comments inside.
 * Texts between the tags, which name the sender, do not matter.
 */
function parseXml(text: string): FileRate[] {
  const rates: FileRate[] = [];
  const open: string[] = [];
  let day: string | null = null;
  for (const { kind, name, attributes, place } of tagsOf(text)) {
    if (kind === "end") {
      if (open.pop() !== name) throw new RatesFileError(`${place()} ends another element than the last one.`);
      if (open.length < DEPTH_OF_DAYS) day = null;
      continue;
    }
    if (open.length === 0) requireEnvelope(name, attributes, rates);
    else if (name === "Cube" && attributes.has("time") && open.length === DEPTH_OF_DAYS - 1) {
      day = readDay(attributes.get("time"), place);
    } else if (name === "Cube" && attributes.has("currency")) {
      if (day === null) throw new RatesFileError(`${place()} has a rate outside of a day.`);
      rates.push(
        ...readRate({ day, currency: attributes.get("currency"), rate: attributes.get("rate"), place }),
      );
    }
    if (kind === "start") open.push(name);
  }
  if (open.length > 0) throw new RatesFileError("The file ends in the middle of an element.");
  return rates;
}

/** The envelope, a cube around all, and the cube of a day. */
const DEPTH_OF_DAYS = 3;

function requireEnvelope(
  name: string,
  attributes: ReadonlyMap<string, string>,
  before: readonly FileRate[],
): void {
  const is_envelope = /^(?:[a-z]+:)?Envelope$/.test(name) && attributes.get("xmlns") === NAMESPACE;
  if (is_envelope && before.length === 0) return;
  throw new RatesFileError("The file is no envelope of the European Central Bank's reference rates.");
}

interface Tag {
  kind: "start" | "end" | "empty";
  name: string;
  attributes: ReadonlyMap<string, string>;
  /** Its line, for messages. */
  place: () => string;
}

function* tagsOf(text: string): Generator<Tag> {
  const body = text.startsWith("<?xml") ? text.indexOf("?>") : 0;
  if (body === -1) throw new RatesFileError("The XML declaration does not end.");
  for (let start = text.indexOf("<", body); start !== -1; ) {
    const place = placeAt(text, start);
    TAG.lastIndex = start;
    const tag = TAG.exec(text);
    if (tag === null) throw new RatesFileError(`${place()} is no tag of this format.`);
    const [whole, is_end = "", name = "", written = "", is_empty = ""] = tag;
    const kind = is_end === "/" ? "end" : is_empty === "/" ? "empty" : "start";
    yield { kind, name, attributes: readAttributes(written, place), place };
    start = text.indexOf("<", start + whole.length);
  }
}

function readAttributes(written: string, place: () => string): Map<string, string> {
  const attributes = new Map<string, string>();
  let position = 0;
  while (written.slice(position).trim() !== "") {
    ATTRIBUTE.lastIndex = position;
    const attribute = ATTRIBUTE.exec(written);
    if (attribute === null) throw new RatesFileError(`${place()} has an attribute that cannot be read.`);
    const [whole, name = "", double, single] = attribute;
    attributes.set(name, double ?? single ?? "");
    position += whole.length;
  }
  return attributes;
}

/** A line per day, a column per currency: `Date,USD,JPY,…`. */
function parseCsv(text: string): FileRate[] {
  const [header = "", ...lines] = text.split(/\r?\n/);
  const [first, ...currencies] = cellsOf(header);
  if (first !== "Date") {
    throw new RatesFileError(
      "The file is neither XML nor CSV of the European Central Bank's reference rates.",
    );
  }
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const place = () => `Line ${index + 2}`;
    const [date, ...cells] = cellsOf(line);
    if (cells.length !== currencies.length) {
      throw new RatesFileError(`${place()} has ${cells.length} rates instead of ${currencies.length}.`);
    }
    const day = readDay(date, place);
    return cells.flatMap((rate, column) => {
      if (rate === "N/A" || rate === "") return [];
      return readRate({ day, currency: currencies[column], rate, place });
    });
  });
}

/** The cells of a line. The bank ends each line with a comma. */
function cellsOf(line: string): string[] {
  const cells = line.split(",").map((cell) => cell.trim());
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

const MONTHS = "January February March April May June July August September October November December".split(
  " ",
);

/** `2026-11-26`, and `26 November 2026` in the CSV file of a day. */
function readDay(text: string | undefined, place: () => string): string {
  const named = /^(\d{1,2}) ([A-Z][a-z]{2,8}) (\d{4})$/.exec(text ?? "");
  const month = named === null ? 0 : MONTHS.indexOf(named[2] ?? "") + 1;
  const day = named === null ? (text ?? "") : `${named[3]}-${pad(month)}-${pad(Number(named[1]))}`;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  // A day that does not exist, such as 2026-02-30, is another one as a time.
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== day) {
    throw new RatesFileError(`${place()} has no valid day.`);
  }
  return day;
}

const pad = (value: number) => String(value).padStart(2, "0");

function readRate({
  day,
  currency = "",
  rate = "",
  place,
}: {
  day: string;
  currency: string | undefined;
  rate: string | undefined;
  place: () => string;
}): FileRate[] {
  if (!/^[A-Z]{3}$/.test(currency) || currency === BASE_CURRENCY) {
    throw new RatesFileError(`${place()} names no currency.`);
  }
  const scaled = scaledRate(rate);
  if (scaled === null) throw new RatesFileError(`${place()} has no valid rate of ${currency}.`);
  return isCurrency(currency) ? [{ day, currency, rate: rateText(scaled) }] : [];
}

/** Computed only for a message: a file has 200,000 tags. */
function placeAt(text: string, position: number): () => string {
  return () => `Line ${text.slice(0, position).split("\n").length}`;
}
