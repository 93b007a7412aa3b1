export type { ApiCall, WithResponse } from "./calls/api-call.ts";
export type { List, Page } from "./calls/list.ts";
export { createClient } from "./client.ts";
export { type CallErrorCode, FindersfeeError } from "./errors/errors.ts";
export type { HttpResponse } from "./http-response.ts";
export type {
  AffiliateOperations,
  CampaignOperations,
  CommissionOperations,
  EventOperations,
  Findersfee,
  PayoutOperations,
  PortalTokenOperations,
  ReferralOperations,
} from "./operations/operations.ts";
export type { ErrorCode } from "./resources/error-codes.ts";
export type * from "./resources/events.ts";
export type * from "./resources/requests.ts";
export type * from "./resources/resources.ts";
export type { Hooks, RequestInfo, ResponseInfo, RetryInfo } from "./settings/hooks.ts";
export type { CallOptions, ClientOptions, CreateOptions } from "./settings/options.ts";
export {
  type AddedToSession,
  type DiscountedSession,
  type DiscountedVisitor,
  paymentLink,
  stripeElementAttributes,
  withLinkDiscount,
} from "./tracking/link-discount.ts";
export { type SignupToSign, signSignup } from "./tracking/sign-signup.ts";
