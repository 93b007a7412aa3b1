const DAY_MILLISECONDS = 24 * 60 * 60 * 1000;
const MAX_DAYS = 1_000;

const twoDigits = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, "0"));
const threeDigits = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, "0"));

/** The text up to the T, by day. */
const days = new Map<number, string>();

/** Same as `toISOString`, which takes three times as long: a page of 100 commissions has 600 timestamps. */
export function toTimestamp(date: Date): string {
  const time = date.getTime();
  const day = Math.floor(time / DAY_MILLISECONDS);
  const milliseconds = time - day * DAY_MILLISECONDS;
  const seconds = Math.floor(milliseconds / 1000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const clock = `${twoDigits[hours]}:${twoDigits[minutes % 60]}:${twoDigits[seconds % 60]}`;
  return `${dayOf(date, day)}${clock}.${threeDigits[milliseconds % 1000]}Z`;
}

function dayOf(date: Date, day: number): string {
  const known = days.get(day);
  if (known !== undefined) return known;
  if (days.size >= MAX_DAYS) days.clear();
  const text = date.toISOString();
  const start = text.slice(0, text.indexOf("T") + 1);
  days.set(day, start);
  return start;
}
