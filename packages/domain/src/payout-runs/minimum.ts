/** What a payout in a currency has to come to: the minimum is an amount of the organization's own currency. */
export function minimumIn(
  currency: string,
  terms: { currency: string; minimum_payout_minor: bigint },
): bigint {
  return currency === terms.currency ? terms.minimum_payout_minor : 0n;
}
