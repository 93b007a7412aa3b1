import type { Connection } from "../postgres/connect.ts";

interface Guess {
  /** A keyed hash of the address. */
  email_hash: Buffer;
  now: Date;
  /** Guesses that an address has when none was used. */
  allowed: number;
  /** After which one comes back. */
  step_seconds: number;
}

/** Takes one guess of an address; false: none is left. */
export async function takeGuess(
  sql: Connection,
  { email_hash, now, allowed, step_seconds }: Guess,
): Promise<boolean> {
  const step = sql`${step_seconds}::float8 * interval '1 second'`;
  const rows = await sql`
    insert into sign_in_guesses as stored (email_hash, full_at)
    values (${email_hash}, ${now}::timestamptz + ${step})
    on conflict (email_hash) do update set full_at = greatest(stored.full_at, ${now}) + ${step}
    where greatest(stored.full_at, ${now}) + ${step} <= ${now}::timestamptz + ${allowed}::float8 * ${step}
    returning 1`;
  return rows.length > 0;
}

/** Gives a guess back: it was right, or never compared. */
export async function returnGuess(
  sql: Connection,
  { email_hash, step_seconds }: Pick<Guess, "email_hash" | "step_seconds">,
): Promise<void> {
  await sql`
    update sign_in_guesses set full_at = full_at - ${step_seconds}::float8 * interval '1 second'
    where email_hash = ${email_hash}`;
}
