import { formatCount } from "@findersfee/ui/formats/counts";
import type { MemberSecurityEvent } from "./queries.ts";

/** Texts after the name of the account's owner. */
export const SECURITY_EVENTS: Record<MemberSecurityEvent["kind"], string> = {
  signed_in: "signed in",
  signed_in_on_new_device: "signed in on a new device",
  signed_in_from_new_network: "signed in from a new network",
  sign_in_failed: "failed to sign in: wrong password",
  code_failed: "entered a wrong code",
  device_confirmed: "confirmed a browser by email link",
  password_changed: "changed the password",
  password_reset: "reset the password by email link",
  second_factor_added: "added an authenticator app",
  second_factor_removed: "removed the authenticator app",
  recovery_codes_replaced: "replaced the recovery codes",
  passkey_added: "added the passkey",
  passkey_removed: "removed the passkey",
  sessions_ended: "ended sessions",
  single_sign_on_changed: "changed single sign-on:",
  credentials_removed: "lost the password, passkeys and authenticator app",
  network_refused: "was blocked by network in",
  key_network_refused: "was blocked by network with the API key",
  policies_changed: "changed the security policies",
};

/** Texts for events that another person caused. */
export const BY_OTHERS: Partial<typeof SECURITY_EVENTS> = {
  sessions_ended: "was signed out",
  policies_changed: "was notified that the security policies changed",
};

export const texts = {
  list: "Security events",
  by: (name: string) => `by ${name}`,
  operator: "the service’s operator",
  times: (count: number) => `${formatCount(count)} times`,
  nothing_yet: "No security events yet",
  nothing_yet_hint:
    "Members’ sign-ins, wrong passwords and credential changes are kept here for 400 days, even after a member leaves.",
  nothing_matches: "No security events for this member",
};
