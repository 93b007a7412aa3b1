import { daysOf } from "@findersfee/ui/lists/days";

/** The names of the parameters in the address with which the document was loaded; the router leaves some out at once. */
export const arrived_names: readonly string[] = [...new URLSearchParams(window.location.search).keys()];

/** The search parameters of a list as the address holds them: texts, and none that the list does not know. */
export type Search<Name extends string> = { [Field in Name]?: string | undefined };

/** Parameters to set, and undefined for those to remove. */
export type SearchChanges = Record<string, string | undefined>;

export type Fields<Name extends string> = Record<Name, (value: string) => boolean>;

/** Reads an address: unknown parameters and impossible values are left out. */
export function searchReader<Name extends string>(
  fields: Fields<Name>,
): (raw: Record<string, unknown>) => Search<Name> {
  const names = Object.keys(fields) as Name[];
  return (raw) => {
    const search: Search<Name> = {};
    for (const name of names) {
      const value = raw[name];
      if (typeof value === "string" && value !== "" && fields[name](value)) search[name] = value;
    }
    return search;
  };
}

export function parseSearch(text: string): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(text));
}

/** The inverse of `parseSearch`; commas stay readable. */
export function writeSearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(
    (pair): pair is [string, string] => typeof pair[1] === "string",
  );
  const text = new URLSearchParams(pairs).toString().replaceAll("%2C", ",").replaceAll("%40", "@");
  return text === "" ? "" : `?${text}`;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export const isId = (value: string): boolean => ID.test(value);

export function isOneOf(values: readonly string[]): (value: string) => boolean {
  return (value) => values.includes(value);
}

export function areSomeOf(values: readonly string[]): (value: string) => boolean {
  return (value) => value.split(",").every((one) => values.includes(one));
}

const isText = (value: string): boolean => value.length <= 200 && value.trim() !== "";

const PAGE_SIZES = ["25", "50", "100"];

/** Periods until now, by their number of days. */
const PERIODS: Record<string, number> = { "7d": 7, "30d": 30, "90d": 90, "365d": 365 };

/** The parameters of every list. */
export const LIST_FIELDS = {
  text: isText,
  after: (value: string) => value.length <= 100,
  before: (value: string) => value.length <= 100,
  rows: isOneOf(PAGE_SIZES),
  period: (value: string) => value in PERIODS || daysOf(value) !== null,
};

export type ListField = keyof typeof LIST_FIELDS;

const DAY_MILLISECONDS = 86_400_000;
const MINUTE_MILLISECONDS = 60_000;

/** The midnight before a day in the reader's zone, plus `later` days. */
function midnight(day: string, later = 0): string {
  const date = new Date(`${day}T00:00`);
  date.setDate(date.getDate() + later);
  return date.toISOString();
}

/** The end of a period; undefined if it goes on. */
export function endOfPeriod(period: string | undefined): string | undefined {
  const days = daysOf(period);
  return days === null ? undefined : midnight(days.last, 1);
}

/** The start of a period, to the minute, so that a list that is shown again asks the same. */
export function startOfPeriod(period: string | undefined): string | undefined {
  const own = daysOf(period);
  if (own !== null) return midnight(own.first);
  const days = PERIODS[period ?? ""];
  if (days === undefined) return undefined;
  const now = Math.floor(Date.now() / MINUTE_MILLISECONDS) * MINUTE_MILLISECONDS;
  return new Date(now - days * DAY_MILLISECONDS).toISOString();
}
