import { z } from "zod";

interface RegisteredError {
  status: number;
  message: string;
}

/** Errors of the API. */
const API_ERRORS = {
  invalid_request: { status: 400, message: "The request is not valid." },
  unauthorized: {
    status: 401,
    message: "Send a valid API key in the header `Authorization: Bearer <API key>`.",
  },
  subscription_error: {
    status: 403,
    message: "The organization needs an active or trialing subscription for this operation.",
  },
  insufficient_scope: {
    status: 403,
    message: "The API key does not have the scope that this operation needs.",
  },
  network_not_allowed: {
    status: 403,
    message:
      "The organization does not allow access from this network. Use one that its owners have allowed, or ask one of them to add it.",
  },
  quota_exceeded: {
    status: 403,
    message: "The organization has reached one of its quotas.",
  },
  not_found: { status: 404, message: "No resource has this id or path." },
  method_not_allowed: {
    status: 405,
    message: "This path does not allow the method of the request.",
  },
  affiliate_exists: { status: 409, message: "The campaign has an affiliate with this email." },
  affiliate_banned: {
    status: 409,
    message: "An affiliate with this address was banned, and erased later. Lift the ban first.",
  },
  code_taken: { status: 409, message: "Another affiliate of the organization has this code." },
  referral_exists: {
    status: 409,
    message: "The organization has a referral with this email or customer id.",
  },
  commission_exists: {
    status: 409,
    message: "This payment already has a commission. A payment has only one, under any of its ids.",
  },
  commission_locked: { status: 409, message: "The commission is in a payout and can no longer be changed." },
  adjustment_locked: { status: 409, message: "The adjustment is in a payout and can no longer be changed." },
  override_refused: { status: 409, message: "This override is not possible. Nothing was changed." },
  override_changed: {
    status: 409,
    message: "Other changes would be made than in the dry run. Nothing was changed; make another dry run.",
  },
  payout_locked: { status: 409, message: "The state of the payout or its run does not allow this change." },
  jobs_running: {
    status: 409,
    message: "Five exports, imports, checks or backtests are under way. Wait for one of them, or cancel it.",
  },
  idempotency_conflict: {
    status: 409,
    message: "This idempotency key was used with another request, or the first request is still running.",
  },
  payload_too_large: { status: 413, message: "The body is larger than 256 KiB." },
  unsupported_media_type: {
    status: 415,
    message: "Send the body as UTF-8 JSON, uncompressed, with the content type application/json.",
  },
  misdirected_request: {
    status: 421,
    message: "The service answers no requests for this host name.",
  },
  rate_limited: {
    status: 429,
    message: "Too many requests with this API key. Try again in a minute.",
  },
  internal_error: {
    status: 500,
    message: "Internal error. Send the request id to the service's operator.",
  },
  unavailable: {
    status: 503,
    message: "The service cannot reach its database. Try again in a few seconds.",
  },
} as const satisfies Record<string, RegisteredError>;

/** Errors of requests with a session: API keys never cause them. */
const DASHBOARD_ERRORS = {
  session_expired: { status: 401, message: "The session has ended. Sign in again." },
  session_limited: {
    status: 403,
    message: "The organization's limit for sessions is reached. Sign in again to open it.",
  },
  second_factor_required: {
    status: 403,
    message: "The organization requires a second factor. Set up an authenticator app in your account first.",
  },
  not_a_member: {
    status: 403,
    message: "You do not belong to this organization. If you did before, ask one of its owners.",
  },
  sign_in_failed: { status: 401, message: "The email or the password is wrong." },
  sign_in_limited: {
    status: 429,
    message:
      "Too many wrong passwords were tried with this email, so passwords are accepted only in browsers that signed in before. Have a link mailed to you that confirms this browser, sign in with a passkey, or choose a new password.",
  },
  single_sign_on_failed: { status: 403, message: "Single sign-on did not work. Start it again." },
  single_sign_on_required: {
    status: 403,
    message:
      "This organization requires single sign-on. Sign out, and continue with single sign-on. An owner can also sign in with a passkey, or a password and a code.",
  },
  other_provider: {
    status: 403,
    message:
      "The single sign-on of another organization opened this session, which is for that organization alone. Sign in again for this one.",
  },
  second_factor_failed: { status: 401, message: "The code is wrong, or was used before." },
  passkey_failed: { status: 401, message: "The passkey was not accepted. Try again, or use your password." },
  sign_in_again: {
    status: 403,
    message: "This needs a recent sign-in. Sign out, sign in again, and repeat it within 15 minutes.",
  },
  link_invalid: { status: 404, message: "This link is incomplete, was used, or has expired." },
  code_invalid: { status: 401, message: "The code is wrong." },
  not_an_affiliate: {
    status: 403,
    message: "No affiliate with your email address has this id.",
  },
  affiliate_not_active: {
    status: 403,
    message: "Only active affiliates of the program see this.",
  },
  embedded_session: {
    status: 403,
    message: "The portal inside of another site does not offer this. Open the portal itself.",
  },
  staff_view: {
    status: 403,
    message: "You view this portal as staff of the organization. Only the affiliate can do this.",
  },
  application_outdated: {
    status: 409,
    message:
      "The form has changed since it was filled in. Open it again, complete it, and send it once more.",
  },
  application_decided: {
    status: 409,
    message: "Your application was decided in the meantime. Nothing was changed.",
  },
  invitation_invalid: {
    status: 404,
    message: "This invitation is incomplete, was used or revoked, or has expired. Ask for a new one.",
  },
  wrong_account: { status: 403, message: "This invitation is for another email." },
  email_unconfirmed: {
    status: 403,
    message: "Confirm your email address first: request the link in your account.",
  },
  test_data: {
    status: 409,
    message: "Test data has no payout runs, members and invitations, and no test data of its own.",
  },
  campaign_changed: {
    status: 409,
    message: "Somebody else has changed the campaign since you opened it. Nothing was saved.",
  },
  payout_email_changed: {
    status: 409,
    message: "Your payout email was changed in the meantime. Nothing was changed; start again.",
  },
  affiliate_owed: {
    status: 409,
    message: "The affiliate has a balance, which could not be paid after its data is erased.",
  },
  claim_exists: { status: 409, message: "You have already reported this sale." },
  claim_decided: { status: 409, message: "This claim was decided in the meantime. Nothing was changed." },
  claim_changed: {
    status: 409,
    message: "The payment or its customer has changed since you opened this claim. Nothing was changed.",
  },
  claim_not_payable: { status: 409, message: "This payment cannot earn the affiliate a commission." },
  member_exists: { status: 409, message: "A member of the organization has this email." },
  last_owner: {
    status: 409,
    message: "The organization needs an owner. Make somebody else an owner first.",
  },
  view_exists: {
    status: 409,
    message: "You have a view of this list with this name. Choose another name.",
  },
  forbidden_role: { status: 403, message: "Your role in the organization does not permit this operation." },
  forbidden_origin: {
    status: 403,
    message:
      "Only the service's own pages can make changes with a session. Open the dashboard at its public address.",
  },
} as const satisfies Record<string, RegisteredError>;

/**
 * Every error response of the service: its code, its HTTP status and its message. Codes are part of the API;
 * messages are for people and may change.
 */
export const ERRORS = { ...API_ERRORS, ...DASHBOARD_ERRORS };

export type ErrorCode = keyof typeof ERRORS;

export type ApiErrorCode = keyof typeof API_ERRORS;

/** The codes of the API. */
export const errorCodes = Object.keys(API_ERRORS) as [ApiErrorCode, ...ApiErrorCode[]];

/** One invalid part of a request. */
export const issueSchema = z
  .object({
    path: z.string().meta({
      description: "The field, as in `custom_fields[0].label`; empty for the whole request.",
      example: "commission_amount",
    }),
    message: z.string().meta({ description: "The problem, for people.", example: "Must be greater than 0." }),
  })
  .meta({ id: "Issue" });

export type Issue = z.infer<typeof issueSchema>;

/** The error object, identical in a REST error body and in a tRPC error's `data`. */
export const errorSchema = z
  .object({
    code: z
      .enum(errorCodes)
      .meta({ description: "The error code, for programs.", example: "invalid_request" }),
    message: z
      .string()
      .meta({ description: "The error, for people.", example: ERRORS.invalid_request.message }),
    issues: z.array(issueSchema).optional().meta({ description: "Each invalid field, at most 100." }),
    details: z
      .record(z.string(), z.string())
      .optional()
      .meta({
        description: "Facts a program can use, such as the id of the existing row.",
        example: { referral_id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" },
      }),
    request_id: z
      .string()
      .meta({ description: "Identifies the request in the service's logs.", example: "req-1f" }),
  })
  .meta({ id: "ErrorObject" });

export type ErrorObject = Omit<z.infer<typeof errorSchema>, "code"> & { code: ErrorCode };

/** The body of every REST error response. */
export const errorBodySchema = z
  .object({
    success: z.literal(false).meta({ description: "False for every error.", example: false }),
    error: errorSchema.meta({ description: "The error." }),
  })
  .meta({ id: "ErrorBody", description: "The body of every error response." });
