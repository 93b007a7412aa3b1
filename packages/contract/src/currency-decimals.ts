/*
 * ISO 4217 decimals. The JavaScript engine's own table (CLDR) lists the decimals in everyday use, which
 * differ from the standard's (0 for IQD, where the standard has 3), so money cannot rely on it.
 */

export const WITHOUT_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF";

export const IN_THOUSANDTHS = "BHD IQD JOD KWD LYD OMR TND";

/**
 * Decimals of the minor unit of a currency that the service gave: 0 for JPY, 2 for USD, 3 for KWD. `currencyDecimals` checks that it
 * is a currency; pages would load the list of all for it.
 */
export function decimalsOfKnown(currency: string): number {
  if (WITHOUT_MINOR_UNIT.includes(currency)) return 0;
  return IN_THOUSANDTHS.includes(currency) ? 3 : 2;
}
