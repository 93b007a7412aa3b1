import { DAY, type History, HOUR, isFact, MINUTE, type Step } from "./history.ts";

/** A history in a readable form: a line for each thing that is set, and for each step. */
export function printHistory(history: History): string {
  const { currency, campaigns, affiliates, customers, clicks, rates, steps } = history;
  return [
    `currency ${currency}`,
    ...campaigns.map((terms, number) => `campaign ${number}: ${valuesOf({ ...terms })}`),
    ...affiliates.map((affiliate, number) => `affiliate ${number}: ${valuesOf({ ...affiliate })}`),
    ...customers.map((acquaintance, number) => `customer ${number}: ${acquaintance}`),
    ...clicks.map((affiliate, number) => `click ${number}: of affiliate ${affiliate}`),
    ...rates.map((rate, number) => `rate ${number}: ${valuesOf({ ...rate })}`),
    ...steps.map((step, number) => `step ${number}: ${printStep(step)}`),
  ].join("\n");
}

export function printStep(step: Step): string {
  const { kind, ...values } = step;
  if (!isFact(step)) return `${kind} ${valuesOf(values)}`;
  const { at, ...others } = values as { at: number };
  return `${kind} at ${printTime(at)} ${valuesOf(others)}`;
}

/** Values that say that nothing is special are left out. */
function valuesOf(values: Record<string, unknown>): string {
  return Object.entries(values)
    .filter(([, value]) => value !== null && value !== false && value !== undefined)
    .filter(([, value]) => !(Array.isArray(value) && value.length === 0))
    .map(([name, value]) => `${name} ${typeof value === "object" ? JSON.stringify(value) : value}`)
    .join(", ");
}

function printTime(at: number): string {
  const units: [string, number][] = [
    ["d", DAY],
    ["h", HOUR],
    ["min", MINUTE],
  ];
  let left = Math.abs(at);
  const parts = units.flatMap(([unit, milliseconds]) => {
    const count = Math.floor(left / milliseconds);
    left -= count * milliseconds;
    return count === 0 ? [] : [`${count} ${unit}`];
  });
  return `${at < 0 ? "−" : "+"}${parts.join(" ") || "0"}`;
}
