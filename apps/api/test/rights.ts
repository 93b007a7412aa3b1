/*
 * Who may call which procedure: the one table that `rights.test.ts` holds every procedure against. A procedure that is
 * missing here fails the test.
 */

/**
 * - `read`, `write`: the API's reads and changes, for a key with that scope; people need any role, or admin.
 * - `view`, `admin`: the dashboard's, for people with that role and keys with that scope.
 * - `owner`: the dashboard's, for owners only.
 * - `user`: for everybody who is signed in, whatever the organization.
 */
export type RequiredRight = "read" | "write" | "view" | "admin" | "owner" | "user";

export const RIGHTS: Record<string, RequiredRight> = {
  "campaigns.list": "read",
  "campaigns.get": "read",
  "campaigns.create": "write",
  "campaigns.update": "write",
  "affiliates.list": "read",
  "affiliates.get": "read",
  "affiliates.create": "write",
  "affiliates.update": "write",
  "referrals.list": "read",
  "referrals.get": "read",
  "referrals.create": "write",
  "referrals.update": "write",
  "commissions.list": "read",
  "commissions.get": "read",
  "commissions.create": "write",
  "commissions.update": "write",
  "payouts.list": "read",
  "payouts.get": "read",
  "events.list": "read",
  "events.get": "read",

  "dashboard.endpoints.list": "view",
  "dashboard.endpoints.health": "view",
  "dashboard.endpoints.get": "view",
  "dashboard.endpoints.secret": "admin",
  "dashboard.endpoints.create": "admin",
  "dashboard.endpoints.update": "admin",
  "dashboard.endpoints.disable": "admin",
  "dashboard.endpoints.enable": "admin",
  "dashboard.endpoints.rotate": "admin",
  "dashboard.endpoints.expireSecret": "admin",
  "dashboard.endpoints.test": "admin",
  "dashboard.endpoints.delete": "admin",
  "dashboard.deliveries.list": "view",
  "dashboard.deliveries.counts": "view",
  "dashboard.deliveries.ofEvent": "view",
  "dashboard.deliveries.get": "view",
  "dashboard.deliveries.retry": "admin",
  "dashboard.deliveries.retryMany": "admin",
  "dashboard.replays.list": "view",
  "dashboard.replays.get": "view",
  "dashboard.replays.create": "admin",
  "dashboard.replays.stop": "admin",
  "dashboard.payment_decisions.list": "view",
  "dashboard.payment_decisions.get": "view",
  "dashboard.payment_decisions.dryRun": "view",
  "dashboard.payment_decisions.rerun": "admin",
  "dashboard.payment_decisions.counts": "view",
  "dashboard.payment_decisions.explain": "view",
  "dashboard.payment_decisions.previewRerun": "admin",
  "dashboard.payment_decisions.rerunMany": "admin",
  "dashboard.payments.list": "view",
  "dashboard.commissions.list": "view",
  "dashboard.commissions.story": "view",
  "dashboard.commissions.void": "admin",
  "dashboard.commissions.restore": "admin",
  "dashboard.api_keys.list": "view",
  "dashboard.api_keys.create": "admin",
  "dashboard.api_keys.rotate": "admin",
  "dashboard.api_keys.revoke": "admin",
  "dashboard.processors.list": "view",
  "dashboard.processors.connect": "admin",
  "dashboard.processors.update": "admin",
  "dashboard.processors.rotate": "admin",
  "dashboard.processors.checkEvents": "admin",
  "dashboard.processors.disconnect": "admin",
  "dashboard.processor_lookups.list": "view",
  "dashboard.processor_lookups.retry": "admin",
  "dashboard.processor_messages.list": "view",
  "dashboard.processor_messages.get": "view",
  "dashboard.processor_messages.body": "admin",
  "dashboard.processor_messages.rerun": "admin",
  "dashboard.processor_messages.rerunParked": "admin",
  "dashboard.promo_codes.list": "view",
  "dashboard.promo_codes.retry": "admin",
  "dashboard.promo_codes.link": "admin",
  "dashboard.balances.list": "view",
  "dashboard.ledger.list": "view",
  "dashboard.payout_runs.list": "view",
  "dashboard.payout_runs.get": "view",
  "dashboard.payout_runs.preview": "view",
  "dashboard.payout_runs.start": "admin",
  "dashboard.payouts.move": "admin",
  "dashboard.settings.get": "view",
  "dashboard.settings.update": "admin",
  "dashboard.settings.rotateSignupSecret": "admin",
  "dashboard.changes.list": "view",
  "dashboard.erasures.affiliate": "owner",
  "dashboard.erasures.members": "owner",

  "dashboard.members.list": "view",
  "dashboard.members.change": "admin",
  "dashboard.members.remove": "admin",
  "dashboard.invitations.list": "view",
  "dashboard.invitations.create": "admin",
  "dashboard.invitations.revoke": "admin",
  "dashboard.organization.update": "admin",

  "me.get": "user",
  "me.update_preferences": "user",
  "credentials.get": "user",
  "credentials.rename": "user",
  "credentials.change_password": "user",
  "credentials.request_confirmation": "user",
  "credentials.confirm_email": "user",
  "sessions.list": "user",
  "sessions.end": "user",
  "sessions.end_others": "user",
  "passkeys.list": "user",
  "passkeys.options": "user",
  "passkeys.add": "user",
  "passkeys.rename": "user",
  "passkeys.delete": "user",
  "second_factor.start": "user",
  "second_factor.confirm": "user",
  "second_factor.replace_codes": "user",
  "second_factor.remove": "user",
};

/** The senders that the test plays. */
export const SENDERS = [
  "nobody",
  "viewer",
  "admin",
  "owner",
  "owner of another organization",
  "key read",
  "key write",
  "key view",
  "key admin",
] as const;

export type Sender = (typeof SENDERS)[number];

/** Who may call procedures with each right, on the surface of the dashboard or of a person. */
export const ALLOWED: Record<RequiredRight, readonly Sender[]> = {
  read: ["viewer", "admin", "owner"],
  write: ["admin", "owner"],
  view: ["viewer", "admin", "owner", "key view", "key admin"],
  admin: ["admin", "owner", "key admin"],
  owner: ["owner"],
  user: ["viewer", "admin", "owner", "owner of another organization"],
};

/** Who may call them on the API's own surfaces, where only keys count. */
export const ALLOWED_IN_API: Partial<Record<RequiredRight, readonly Sender[]>> = {
  read: ["key read"],
  write: ["key write"],
};
