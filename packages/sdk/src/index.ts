export type { ApiCall, WithResponse } from "./api-call.ts";
export { createClient } from "./client.ts";
export type { ErrorCode } from "./error-codes.ts";
export { type CallErrorCode, FindersfeeError } from "./errors.ts";
export type * from "./events.ts";
export type { Hooks, RequestInfo, ResponseInfo, RetryInfo } from "./hooks.ts";
export type { HttpResponse } from "./http-response.ts";
export {
  type AddedToSession,
  type DiscountedSession,
  type DiscountedVisitor,
  paymentLink,
  stripeElementAttributes,
  withLinkDiscount,
} from "./link-discount.ts";
export type { List, Page } from "./list.ts";
export type {
  AffiliateOperations,
  CampaignOperations,
  CommissionOperations,
  EventOperations,
  Findersfee,
  PayoutOperations,
  PortalTokenOperations,
  ReferralOperations,
} from "./operations.ts";
export type { CallOptions, ClientOptions, CreateOptions } from "./options.ts";
export type * from "./requests.ts";
export type * from "./resources.ts";
export { type SignupToSign, signSignup } from "./sign-signup.ts";
