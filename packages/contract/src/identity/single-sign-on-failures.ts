const WAY_BACK = "An owner can still sign in with a passkey, or with a password and a code.";

/** Why single sign-on did not work: the failure, and the right person to ask. Without imports, for the sign-in page. */
export const SINGLE_SIGN_ON_FAILURES = {
  no_provider:
    "No organization has set up single sign-on for this email. Check the address, or sign in another way.",
  expired: "This sign-in took too long, or was started in another window or browser. Start again.",
  denied: "Your identity provider did not let you in. Ask the people who run it for access to Findersfee.",
  unreachable: `Your identity provider does not answer as it should. Try again later, or ask the people who run it. ${WAY_BACK}`,
  refused: `Your identity provider refused Findersfee itself: its client id, secret or address of return is wrong. Ask an owner of your organization to check the settings. ${WAY_BACK}`,
  invalid_answer: `Your identity provider's answer is not valid. Start again; if it happens again, ask an owner of your organization. ${WAY_BACK}`,
  email_missing: "Your identity provider did not send your email. Ask the people who run it to release it.",
  email_unverified:
    "Your identity provider has not verified your email. Ask the people who run it to verify it.",
  domain_unproven:
    "Your organization has not proven the domain of your email. Ask one of its owners to add it, or sign in with your work address.",
  no_role:
    "Your identity provider gives you no role in this organization. Ask the people who run it, or an owner of the organization.",
  other_account:
    "Somebody else at your identity provider has signed in with this email. Ask an owner of your organization to remove that member first.",
  disabled: "The operator of this service has disabled your account. Ask them.",
  full: "The organization has as many members as it can have. Ask one of its owners.",
} as const;

export type SingleSignOnFailure = keyof typeof SINGLE_SIGN_ON_FAILURES;
