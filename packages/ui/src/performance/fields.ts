/** Letters of a parameter, at most: keys of some rows. */
const MAX_LENGTH = 2100;

const isShort = (value: string) => value.length <= MAX_LENGTH;

/**
 * The report's parameters in the address. The routes of all pages load them, so the report checks their
 * values, and ignores others.
 */
export const PERFORMANCE_FIELDS = {
  period: isShort,
  by: isShort,
  metric: isShort,
  unit: isShort,
  sort: isShort,
  order: isShort,
  text: isShort,
  lines: isShort,
  skip: isShort,
  currency: isShort,
};

export type PerformanceField = keyof typeof PERFORMANCE_FIELDS;

export type PerformanceSearch = { [Field in PerformanceField]?: string | undefined };
