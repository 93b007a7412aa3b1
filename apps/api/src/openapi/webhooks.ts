import { type EventType, eventBodySchemas, eventDescriptions } from "@findersfee/contract/webhooks/events";
import { webhookHeadersSchema } from "@findersfee/contract/webhooks/webhooks";
import type { DescribedOperation, Parameter, PathItem, Response, Schemas } from "./document-types.ts";
import { exampleOf } from "./example.ts";
import { capitalized } from "./operations.ts";
import { reference } from "./schemas.ts";

/** The `webhooks` section: the requests that the service sends, and its reactions to responses. */
export function webhooksOf(schemas: Schemas): Record<EventType, PathItem> {
  const webhook = (type: EventType): PathItem => ({ post: webhookOf(type, schemas) });
  return {
    "affiliate.created": webhook("affiliate.created"),
    "affiliate.approved": webhook("affiliate.approved"),
    "affiliate.tier_changed": webhook("affiliate.tier_changed"),
    "referral.created": webhook("referral.created"),
    "referral.converted": webhook("referral.converted"),
    "commission.created": webhook("commission.created"),
  };
}

function webhookOf(type: EventType, schemas: Schemas): DescribedOperation {
  const name = eventBodySchemas[type].meta()?.id;
  if (name === undefined) throw new Error(`the body of ${type} has no name`);
  const schema = reference(name);
  return {
    operationId: `on${pascalCase(type)}`,
    tags: ["Events"],
    summary: eventDescriptions[type].replace(/\.$/, ""),
    description: `Sent to endpoints that subscribe to \`${type}\`. The resources inside \`data\` are in reduced form. Verify the signature before anything else.`,
    // The signature authenticates the sender.
    security: [],
    parameters: signatureHeaders(),
    requestBody: {
      required: true,
      content: { "application/json": { schema, example: exampleOf(schema, schemas) } },
    },
    responses: {
      "2XX": { description: "Delivered, if the response completed within 15 seconds." },
      "3XX": { description: "Failed: redirects are never followed." },
      "410": { description: "Failed permanently: the endpoint is disabled." },
      "429": retryLater(),
      "502": retryLater(),
      "503": retryLater(),
      "504": retryLater(),
      default: {
        description:
          "Failed, as is no response within 15 seconds. Retries follow after 5 s, 5 min, 30 min, 2 h, 5 h, 10 h and 10 h, each ±20%.",
      },
    },
  };
}

function signatureHeaders(): Parameter[] {
  return Object.entries(webhookHeadersSchema.shape).map(([name, schema]) => {
    const { description = "", example } = schema.meta() ?? {};
    return {
      name,
      in: "header",
      required: true,
      description,
      schema: { type: "string", examples: [example] },
    };
  });
}

function retryLater(): Response {
  return {
    description:
      "Failed. A `Retry-After`, in seconds or as a date, delays the next attempt by at most 2 hours.",
    headers: {
      "Retry-After": {
        description: "When to retry: seconds, or a date.",
        schema: { type: "string", examples: ["120"] },
      },
    },
  };
}

function pascalCase(type: EventType): string {
  return type.split(".").map(capitalized).join("");
}
