export type { EventType, WebhookEvent } from "./resources/events.ts";
export { type Claim, type Deduplication, memoryDeduplication } from "./webhooks/deduplication.ts";
export { expressHandler, type NodeRequest, type NodeResponse } from "./webhooks/express-handler.ts";
export { type FastifyPluginOptions, type FastifyScope, fastifyPlugin } from "./webhooks/fastify-plugin.ts";
export { fetchHandler } from "./webhooks/fetch-handler.ts";
export type {
  EventHandlers,
  EventOfType,
  OnEvent,
  WebhookHandlerOptions,
} from "./webhooks/handler-options.ts";
export type { WebhookHeaders } from "./webhooks/headers.ts";
export type { RawBody } from "./webhooks/raw-body.ts";
export type { WebhookSecret } from "./webhooks/secret.ts";
export {
  WebhookVerificationError,
  type WebhookVerificationErrorCode,
} from "./webhooks/verification-error.ts";
export {
  type VerifiedDelivery,
  type VerifyOptions,
  verify,
  type WebhookDelivery,
} from "./webhooks/verify.ts";
