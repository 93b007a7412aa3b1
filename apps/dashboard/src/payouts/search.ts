import { isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

const isCurrency = (value: string) => /^[A-Z]{3}$/.test(value);

const { period: _, ...FIELDS } = LIST_FIELDS;

/** The parameters of the preview in the address. */
export const readNextRunSearch = searchReader({
  ...FIELDS,
  part: isOneOf(["included", "held", "below_minimum", "negative", "withheld"]),
  currency: isCurrency,
});

const status = isOneOf(["open", "pending", "processing", "paid", "failed", "canceled"]);

/** The parameters of a run's list of payouts in the address. */
export const readRunSearch = searchReader({ ...FIELDS, status });

/** The parameters of the list of all payouts in the address. */
export const readAllPayoutsSearch = searchReader({ ...LIST_FIELDS, status, currency: isCurrency });
