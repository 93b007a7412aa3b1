import type { Connection } from "../postgres/connect.ts";

/** Deletes expired verifications, sessions (those of the portal, too), challenges, devices and guesses, at most `limit` of each; returns how many. */
export async function deleteExpiredCredentials(
  sql: Connection,
  { before, limit }: { before: Date; limit: number },
): Promise<number> {
  const verifications = await sql`
    delete from user_verifications where ctid = any (array(
      select ctid from user_verifications where expires_at < ${before} order by expires_at limit ${limit}))`;
  const sessions = await sql`
    delete from user_sessions where ctid = any (array(
      select ctid from user_sessions where expires_at < ${before} order by expires_at limit ${limit}))`;
  const challenges = await sql`
    delete from used_passkey_challenges where ctid = any (array(
      select ctid from used_passkey_challenges where expires_at < ${before} order by expires_at limit ${limit}))`;
  const portal_sessions = await sql`
    delete from portal_sessions where ctid = any (array(
      select ctid from portal_sessions where expires_at < ${before} order by expires_at limit ${limit}))`;
  const devices = await sql`
    delete from user_devices where ctid = any (array(
      select ctid from user_devices where expires_at < ${before} order by expires_at limit ${limit}))`;
  const guesses = await sql`
    delete from sign_in_guesses where ctid = any (array(
      select ctid from sign_in_guesses where full_at < ${before} order by full_at limit ${limit}))`;
  const deleted = [verifications, sessions, challenges, portal_sessions, devices, guesses];
  return deleted.reduce((sum, { count }) => sum + count, 0);
}
