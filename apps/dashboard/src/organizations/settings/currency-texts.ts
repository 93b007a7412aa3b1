import { formatCount, formatCountBelow } from "@findersfee/ui/formats/counts";

export const currency_texts = {
  currencies: "Currencies",
  read_only: "An admin or owner can change these settings.",
  fixed_amounts: "Fixed commissions",
  fixed_amounts_hint: (currency: string) =>
    `Campaigns have fixed commissions in ${currency}. Percentages need no conversion.`,
  converts: "Convert for payments in other currencies",
  converts_hint:
    "At the reference rate of the payment’s day. Without a rate, the payment waits for it. Applies to new payments. If this is off, payments in other currencies earn no fixed commission.",
  rates: "Reference rates",
  rates_hint:
    "Units of each currency for 1 EUR. Rates of the European Central Bank come first; yours fill the gaps.",
  no_rates: "No rates are known yet.",
  currency: "Currency",
  rate: "1 EUR =",
  day: "Day",
  source: "Source",
  sources: { ecb: "ECB", file: "Uploaded", manual: "Added manually" },
  too_old: (day: string) => `${day}, too old`,
  up_to_date: "Rates are up to date",
  none_known: "No exchange rate for your currency is known",
  stale: (day: string) => `The newest exchange rate is of ${day}`,
  fetch_failed: "The last fetch of exchange rates failed",
  fetch_error: (reason: string) => `${reason} It is tried again every hour.`,
  waiting: (count: number) =>
    count === 1 ? "1 payment waits for a rate" : `${formatCountBelow(count, 1000)} payments wait for a rate`,
  show: "Show",
  add_rate: "Add a rate",
  add: "Add",
  added: "Rate added",
  rate_hint: "Units of the currency for 1 EUR, with a point before decimals.",
  day_hint: "It counts for payments of this day and of the 7 days after it.",
  upload: "Upload a file",
  upload_hint: "The ECB’s file of a day or of 90 days: eurofxref-daily.xml, eurofxref-hist-90d.xml, or CSV.",
  uploaded: (added: number, corrected: number) =>
    added + corrected === 0
      ? "All rates were known already"
      : `${formatCount(added)} ${added === 1 ? "rate" : "rates"} added, ${formatCount(corrected)} corrected`,
};
