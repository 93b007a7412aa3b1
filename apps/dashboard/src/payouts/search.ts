import { isOneOf, LIST_FIELDS, searchReader } from "../lists/search.ts";

const { period: _, ...FIELDS } = LIST_FIELDS;

/** The parameters of the preview in the address. */
export const readNextRunSearch = searchReader({
  ...FIELDS,
  part: isOneOf(["included", "held", "below_minimum", "negative"]),
  currency: (value) => /^[A-Z]{3}$/.test(value),
});

/** The parameters of a run's list of payouts in the address. */
export const readRunSearch = searchReader({
  ...FIELDS,
  status: isOneOf(["open", "pending", "processing", "paid", "failed", "canceled"]),
});
