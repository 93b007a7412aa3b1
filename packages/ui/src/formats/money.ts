import { decimalsOfKnown } from "@findersfee/contract/currency-decimals";

/** The amount in a currency, in major units, with all of the currency's decimals: `$1,204.50`, `¥1,200`, `−$4.90`. */
export function formatMoney(amount: number, currency: string, locale = "en-US"): string {
  return formatter(locale, currency, false).format(amount).replace("-", "−");
}

/** The same in a few letters, for tiles; the whole belongs into their title: `$48.2K`. */
export function formatMoneyShort(amount: number, currency: string, locale = "en-US"): string {
  return formatter(locale, currency, true).format(amount).replace("-", "−");
}

const formatters = new Map<string, Intl.NumberFormat>();

/** Creating a formatter takes 20 times as long as using it. */
function formatter(locale: string, currency: string, short: boolean): Intl.NumberFormat {
  const key = `${locale} ${currency} ${short}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const digits = decimalsOfKnown(currency);
  const created = new Intl.NumberFormat(locale, {
    style: "currency",
    currency,
    ...(short
      ? { notation: "compact", minimumFractionDigits: 0, maximumFractionDigits: 1 }
      : { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  });
  formatters.set(key, created);
  return created;
}

/**
 * Reads an amount that a person typed, in major units: `1,204.50`, `1204,50`, `$12`. Returns null unless it is an amount with at
 * most the currency's decimals. `1.204` is a thousand, unless the currency has three decimals.
 */
export function parseMoney(text: string, currency: string): number | null {
  const decimals = decimalsOfKnown(currency);
  const plain = text.replaceAll(/[\s'’\p{Sc}]/gu, "").replace("−", "-");
  const match = SEPARATED.exec(plain);
  if (match === null) return null;
  const { sign = "", whole = "", grouping, point, fraction = "" } = match.groups ?? {};
  if (point !== undefined && point === grouping) return null;
  const is_grouped = grouping === undefined && fraction.length === 3 && decimals < 3 && whole.length <= 3;
  if (is_grouped) return Number(`${sign}${whole}${fraction}`);
  if (fraction.length > decimals) return null;
  return Number(`${sign}${whole.replaceAll(/[.,]/g, "")}.${fraction || "0"}`);
}

const SEPARATED =
  /^(?<sign>-?)(?<whole>\d{1,15}|\d{1,3}(?:(?<grouping>[.,])\d{3})(?:\k<grouping>\d{3}){0,3})(?:(?<point>[.,])(?<fraction>\d{0,3}))?$/;

/** An amount of the service in minor units, so that sums are exact. */
export function minorUnits(amount: number, currency: string): number {
  return Math.round(amount * 10 ** decimalsOfKnown(currency));
}

/** `formatMoney` of an amount in minor units. */
export function formatMinor(amount_minor: number, currency: string): string {
  return formatMoney(amount_minor / 10 ** decimalsOfKnown(currency), currency);
}
