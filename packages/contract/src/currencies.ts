import { decimalsOfKnown, IN_THOUSANDTHS, WITHOUT_MINOR_UNIT } from "./currency-decimals.ts";

const IN_HUNDREDTHS =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG";

const CURRENCIES = new Set(`${WITHOUT_MINOR_UNIT} ${IN_HUNDREDTHS} ${IN_THOUSANDTHS}`.split(" "));

export function isCurrency(code: string): boolean {
  return CURRENCIES.has(code);
}

/** Decimals of a currency's minor unit: 0 for JPY, 2 for USD, 3 for KWD. */
export function currencyDecimals(currency: string): number {
  if (!isCurrency(currency)) throw new Error(`unknown currency ${currency}`);
  return decimalsOfKnown(currency);
}

/** All currencies, by code. */
export const currencyCodes: readonly string[] = [...CURRENCIES].sort();
