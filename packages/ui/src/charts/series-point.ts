export interface SeriesPoint {
  /** Its day, week or month, in words. */
  label: string;
  /** The same in fewer letters, for the axis. */
  axis_label?: string;
  value: number;
  /** The value of the period before. */
  before?: number;
  /** Its time is not over yet: the value can still grow. Only the last point. */
  is_open?: boolean;
}
