/** Options of Node for processes whose code runs too rarely to repay its optimization, which took a fourth of their processor time. */
export const UNOPTIMIZED = ["--no-opt"];
