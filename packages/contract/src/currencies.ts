/*
 * ISO 4217 decimals. The JavaScript engine's own table (CLDR) lists the decimals in everyday use, which
 * differ from the standard's (0 for IQD, where the standard has 3), so money cannot rely on it.
 */

const WITHOUT_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";

const IN_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND";

const IN_HUNDREDTHS =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VES WST XCD XCG YER ZAR ZMW ZWG";

const DECIMALS = new Map<string, number>([
  ...WITHOUT_MINOR_UNIT.split(" ").map((code) => [code, 0] as const),
  ...IN_HUNDREDTHS.split(" ").map((code) => [code, 2] as const),
  ...IN_THOUSANDTHS.split(" ").map((code) => [code, 3] as const),
]);

export function isCurrency(code: string): boolean {
  return DECIMALS.has(code);
}

/** Decimals of a currency's minor unit: 0 for JPY, 2 for USD, 3 for KWD. */
export function currencyDecimals(currency: string): number {
  const decimals = DECIMALS.get(currency);
  if (decimals === undefined) throw new Error(`unknown currency ${currency}`);
  return decimals;
}

/** All currencies, by code. */
export const currencyCodes: readonly string[] = [...DECIMALS.keys()].sort();
