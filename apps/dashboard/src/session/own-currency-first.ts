/** Rows of several currencies, those in the organization's own before the others. */
export function ownCurrencyFirst<Row extends { currency: string }>(
  rows: readonly Row[],
  own: string,
): readonly Row[] {
  return [
    ...rows.filter(({ currency }) => currency === own),
    ...rows.filter(({ currency }) => currency !== own),
  ];
}
