export interface SeriesPoint {
  /** Its day, week or month, as the axis shows it. */
  label: string;
  value: number;
  /** The value of the period before. */
  before?: number;
}
