import { currencyDecimals, isCurrency } from "@findersfee/contract/currencies";

/** A positive amount in major units, with all of the currency's decimals: `120.50`, or `120` in JPY. */
export function writeAmount(amount_minor: bigint, currency: string): string {
  const decimals = currencyDecimals(currency);
  const digits = String(amount_minor).padStart(decimals + 1, "0");
  if (decimals === 0) return digits;
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The same for amounts that may be below zero. */
export function writeSignedAmount(amount_minor: bigint, currency: string): string {
  return amount_minor < 0n ? `-${writeAmount(-amount_minor, currency)}` : writeAmount(amount_minor, currency);
}

const AMOUNT = /^(-?)(\d{1,15}|\d{1,3}(?:,\d{3}){1,4})(?:\.(\d{1,12}))?$/;

/**
 * Parses an amount from a provider's file to the currency's minor unit: a minus, commas between thousands, and extra
 * zero decimals are allowed. Null: not an amount, or more decimals than the currency has.
 */
export function readAmount(text: string, currency: string): bigint | null {
  const [, minus = "", whole = "", fraction = ""] = AMOUNT.exec(text) ?? [];
  if (whole === "" || !isCurrency(currency)) return null;
  const decimals = currencyDecimals(currency);
  if (/[^0]/.test(fraction.slice(decimals))) return null;
  return BigInt(`${minus}${whole.replaceAll(",", "")}${fraction.slice(0, decimals).padEnd(decimals, "0")}`);
}
