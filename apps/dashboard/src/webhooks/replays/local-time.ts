/** A moment as the value of a `datetime-local` field, in the browser's zone: `2026-11-23T18:00`. */
export function toLocal(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The inverse; null: it is no time. */
export function fromLocal(value: string): Date | null {
  const at = new Date(value);
  return Number.isNaN(at.getTime()) ? null : at;
}
