import {
  findPortalSessionByHash,
  type PortalProgramRow,
  type PortalSessionRow,
  touchPortalSession,
} from "@findersfee/database/portal/sessions";
import type { Database } from "@findersfee/database/postgres/connect";
import { stateOf } from "../affiliates/state.ts";
import { type Authenticator, createTokenAuthenticator } from "../caching/token-authenticator.ts";
import { DomainError } from "../errors.ts";
import { hashSecretToken, isSecretToken } from "../identity/accounts/secret-token.ts";
import type { AffiliateSession } from "../principal.ts";

/** A session in the portal: an address that was proven, and the affiliates that have it. */
export interface PortalSession {
  session_id: string;
  /** In lower case. */
  email: string;
  /**
   * The only organization that it sees programs of, if it was opened at that one's host name. Null: it sees
   * all.
   */
  limited_to: string | null;
  /** In a frame of the organization's product, the only affiliate that it sees. Null: the affiliate opened it. */
  affiliate_id: string | null;
  /** A member of the organization views the portal of `affiliate_id`, and changes nothing. */
  by_staff: boolean;
  /** By affiliate id: those that the person has agreed to; in a frame or a view of staff, its affiliate in any case. */
  programs: ReadonlyMap<string, PortalProgramRow>;
  /** By affiliate id: those that an organization added. The session opens none of them before the person accepts. */
  invitations: ReadonlyMap<string, PortalProgramRow>;
}

const TOUCH_MILLISECONDS = 60 * 60_000;

/**
 * Creates this process' authenticator of the portal's sessions, which throws `session_expired`. A session that ended, and
 * a change of an affiliate's status or address, counts within a second.
 */
export function createPortalAuthenticator(database: Database): Authenticator<PortalSession> {
  return createTokenAuthenticator(database, {
    isToken: isSecretToken,
    nameOf: (token) => hashSecretToken(token).toString("hex"),
    find: async (token) => {
      const row = await findPortalSessionByHash(database, hashSecretToken(token));
      return row === null ? null : { found: viewPortalSession(row), expires_at: row.expires_at };
    },
    idOf: ({ session_id }) => session_id,
    organizationsOf: ({ programs, invitations }) =>
      [...programs.values(), ...invitations.values()].map(({ organization_id }) => organization_id),
    touch: ({ session_id }, used_at) => touchPortalSession(database, { id: session_id, used_at }),
    touch_milliseconds: TOUCH_MILLISECONDS,
    rejection: "session_expired",
  });
}

function viewPortalSession({
  id,
  email,
  limited_to,
  affiliate_id,
  by_staff,
  programs,
}: PortalSessionRow): PortalSession {
  // An API key of the organization opened the frame, in which it shows its own program alone.
  const isOpen = ({ agreed }: PortalProgramRow) => agreed || affiliate_id !== null;
  return {
    session_id: id,
    email,
    limited_to,
    affiliate_id,
    by_staff,
    programs: byAffiliate(programs.filter(isOpen)),
    invitations: byAffiliate(programs.filter((program) => !isOpen(program))),
  };
}

function byAffiliate(programs: PortalProgramRow[]): Map<string, PortalProgramRow> {
  return new Map(programs.map((program) => [program.affiliate_id, program]));
}

/**
 * Refuses the session of a frame in an organization's product. Staff may read the same data.
 *
 * @throws DomainError `embedded_session`
 */
export function requireOwnSession({ affiliate_id, by_staff }: PortalSession): void {
  if (affiliate_id !== null && !by_staff) throw new DomainError("embedded_session");
}

/**
 * Refuses the session of staff who view the portal of an affiliate: only the affiliate changes something there.
 *
 * @throws DomainError `staff_view`
 */
export function requireAffiliate({ by_staff }: PortalSession): void {
  if (by_staff) throw new DomainError("staff_view");
}

/**
 * The principal for the affiliate that a request names.
 *
 * @throws DomainError `not_an_affiliate`, the same for a missing, malformed, unknown or foreign affiliate
 */
export function affiliateSessionOf(
  { session_id, programs }: PortalSession,
  affiliate_id: string,
): AffiliateSession {
  const program = programs.get(affiliate_id.toLowerCase());
  if (program === undefined) throw new DomainError("not_an_affiliate");
  const { organization_id: id, currency, subscription_status } = program;
  return {
    kind: "affiliate_session",
    session_id,
    affiliate_id: program.affiliate_id,
    state: stateOf(program),
    organization: { id, currency, subscription_status },
  };
}
