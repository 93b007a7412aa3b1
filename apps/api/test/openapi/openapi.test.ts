import { auditLogLineSchema } from "@findersfee/contract/audit-log";
import { eventBodySchemas, eventTypes, feedEventSchemas } from "@findersfee/contract/webhooks/events";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { describeApi } from "../../src/openapi/document.ts";
import type { DescribedOperation, Response } from "../../src/openapi/document-types.ts";
import { exampleOf } from "../../src/openapi/example.ts";
import { feeds } from "../../src/openapi/feeds.ts";
import { operationsOf, pathParameters } from "../../src/openapi/operations.ts";
import { v1 } from "../../src/v1-router.ts";
import { operations as procedures } from "../operations.ts";
import { describedOperation, documentedOperations, validatorFor } from "./validator.ts";

const operations = [...operationsOf(v1), ...feeds];
const schemas_before = schemasOfProcedures();
const document = describeApi(v1, { server_url: "/v1", version: "1.2.3" });
const { schemas } = document.components;

const ID = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";

/** All procedure schemas as text, to detect modifications. */
function schemasOfProcedures(): string {
  return JSON.stringify(
    operations.map(({ id, input, output }) => [
      id,
      z.toJSONSchema(input, { io: "input", unrepresentable: "any" }),
      z.toJSONSchema(output, { unrepresentable: "any" }),
    ]),
  );
}

/** Whether a request has fields that are not in the path. */
function hasBody(operation: (typeof operations)[number]): boolean {
  const { method, input } = operation;
  return method !== "get" && Object.keys(input.shape).length > pathParameters(operation).length;
}

function described(id: string): DescribedOperation {
  return describedOperation(document, id);
}

describe("the OpenAPI document", () => {
  it("passes a public linter, warnings included", async () => {
    const problems = await lintFromString({
      source: JSON.stringify(document),
      absoluteRef: "openapi.json",
      config: await createConfig({ extends: ["recommended-strict"] }),
    });
    expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it("has exactly one operation per procedure, and the audit log", () => {
    const routes = [...procedures.map(({ method, path }) => `${method} ${path}`), "GET /audit-log"];
    const documented = documentedOperations(document);
    expect(documented.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(routes.sort());
    expect(new Set(routes).size).toBe(routes.length);
  });

  it("names operations like functions", () => {
    const ids = documentedOperations(document).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      ids.filter(
        (id) =>
          !/^(list|get|create|update|set|remove|move|credit|stop|resume|undo|approve|reject|cancel)([A-Z][a-z]+)+$/.test(
            id,
          ),
      ),
    ).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(["listCampaigns", "createCommission", "getPayout"]));
  });

  it("leaves the procedures' schemas unchanged", () => {
    expect(schemasOfProcedures()).toBe(schemas_before);
    const lists = operations.filter(({ id }) => id.startsWith("list"));
    expect(lists.filter(({ input }) => input.safeParse({ limit: "10" }).success)).toEqual([]);
    const affiliates = operations.find(({ id }) => id === "listAffiliates");
    expect(affiliates?.input.safeParse({ approved: "true" }).success).toBe(false);
  });

  it("contains the release and a contact", () => {
    expect(document.info.version).toBe("1.2.3");
    expect(document.info.contact).toEqual({ name: "Documentation of this service", url: "/docs/" });
  });

  it("describes every operation beyond its summary", () => {
    for (const { id } of operations) {
      const { description = "", summary } = described(id);
      expect(description.length, id).toBeGreaterThan(summary.length);
      expect(description, id).toMatch(/\.$/);
    }
  });

  it("mentions only fields of the same schema in descriptions", () => {
    const settings = [
      "CustomCommission",
      "FirstPaymentCommission",
      "CustomCommissionInput",
      "FirstPaymentCommissionInput",
    ];
    for (const name of settings) {
      const { type, amount } = schemas[name]?.properties ?? {};
      expect([type?.description, amount?.description].join(" "), name).not.toContain("commission_");
      expect([type?.description, amount?.description].join(" "), name).toMatch(/`amount`.*`type`/);
    }
  });

  it("puts every operation behind an API key and under a described tag", () => {
    const tags = document.tags.map(({ name }) => name);
    for (const { id } of operations) {
      expect(described(id).security).toEqual([{ ApiKey: [] }]);
      expect(tags).toEqual(expect.arrayContaining(described(id).tags));
    }
    expect(document.components.securitySchemes).toMatchObject({ ApiKey: { type: "http", scheme: "bearer" } });
  });
});

describe("fields", () => {
  it("have a description and an example in every resource and request body", () => {
    const silent = Object.entries(schemas).flatMap(([name, schema]) =>
      Object.entries(schema.properties ?? {})
        .filter(([, property]) => property.description === undefined)
        .map(([property]) => `${name}.${property}`),
    );
    expect(silent).toEqual([]);
    for (const schema of Object.values(schemas)) expect(() => exampleOf(schema, schemas)).not.toThrow();
  });

  it("are required in responses, and nullable only if declared", () => {
    const events = Object.values(feedEventSchemas).map((schema) => schema.meta()?.id ?? "");
    for (const name of [
      "Campaign",
      "Affiliate",
      "Referral",
      "Commission",
      "Payout",
      "Pagination",
      ...events,
    ]) {
      const { required, properties = {} } = schemas[name] ?? {};
      expect(required?.toSorted(), name).toEqual(Object.keys(properties).toSorted());
    }
    expect(schemas.Campaign?.properties?.website_url?.type).toEqual(["string", "null"]);
    expect(schemas.Campaign?.properties?.name?.type).toBe("string");
    expect(schemas.Commission?.properties?.payout?.anyOf).toEqual([
      { $ref: "#/components/schemas/ReducedPayout" },
      { type: "null" },
    ]);
  });

  it("may be added to responses, but are rejected in requests when unknown", () => {
    const closed = Object.entries(schemas)
      .filter(([, schema]) => schema.additionalProperties === false)
      .map(([name]) => name);
    const bodies = operations.filter(hasBody).map(({ body_name }) => body_name);
    const inputs = Object.keys(schemas).filter((name) => name.endsWith("Input"));
    expect(closed.toSorted()).toEqual([...bodies, ...inputs].toSorted());
  });

  it("of the response are in an update's body, read-only if not settable", () => {
    const read_only = Object.fromEntries(
      operations
        .filter(({ method }) => method === "put")
        .map((operation) => {
          const { body_name, output } = operation;
          const { properties = {}, required } = schemas[body_name] ?? {};
          const answer = schemas[output.meta()?.id ?? ""]?.properties ?? {};
          expect(pathParameters(operation)).toEqual(["id"]);
          expect(required, body_name).toBeUndefined();
          expect(Object.keys(properties), body_name).toEqual(expect.arrayContaining(Object.keys(answer)));
          const names = Object.keys(properties).filter((name) => properties[name]?.readOnly === true);
          for (const name of names) expect(properties[name]).toEqual({ ...answer[name], readOnly: true });
          return [body_name, names];
        }),
    );
    expect(read_only).toEqual({
      UpdateAdjustment: [
        "id",
        "affiliate_id",
        "amount",
        "currency",
        "reason",
        "commission_id",
        "payout_id",
        "created_at",
      ],
      UpdateCampaign: ["id", "created_at"],
      UpdateAffiliate: [
        "id",
        "links",
        "promo_codes",
        "clicks",
        "custom_fields",
        "created_at",
        "left_at",
        "recruited_by",
        "campaign",
      ],
      UpdateReferral: ["id", "signup_date", "created_at", "affiliate"],
      UpdateCommission: [
        "id",
        "lead",
        "recruit_commission_id",
        "currency",
        "review_state",
        "review",
        "created_at",
        "affiliate",
        "referral",
        "payout",
      ],
    });
  });

  it("describe body defaults in text, since generators make properties with a default required", () => {
    const of_bodies = JSON.stringify(schemas);
    expect(of_bodies).not.toContain('"default":');
    expect(schemas.CreateCampaign?.properties?.code_mode?.description).toMatch(/ Default: `link`\.$/);
    expect(schemas.CampaignCustomFieldInput?.properties?.options?.description).toMatch(/ Default: `\[\]`\.$/);
    expect(schemas.CampaignCustomFieldInput?.required).toEqual(["id", "label", "type"]);
  });
});

describe("requests", () => {
  it("have typed query parameters with limits and defaults", () => {
    const parameters = described("listAffiliates").parameters ?? [];
    expect(parameters).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: "page",
          in: "query",
          required: false,
          schema: expect.objectContaining({ type: "integer", minimum: 1 }),
        }),
        expect.objectContaining({
          name: "limit",
          schema: expect.objectContaining({ type: "integer", minimum: 1, maximum: 100, default: 10 }),
        }),
        expect.objectContaining({ name: "approved", schema: expect.objectContaining({ type: "boolean" }) }),
      ]),
    );
  });

  it("declare lists as arrays, comma-separated in queries", () => {
    const lists = operations.flatMap(({ id }) =>
      (described(id).parameters ?? []).flatMap((parameter) =>
        "schema" in parameter && parameter.schema.type === "array" ? [parameter] : [],
      ),
    );
    expect(lists.map(({ name }) => name)).toEqual(["subscription_status", "types"]);
    for (const { style, explode, schema } of lists) {
      expect([style, explode, schema.anyOf]).toEqual(["form", false, undefined]);
      expect(schema.items?.enum).toEqual(
        expect.arrayContaining(z.array(z.string()).parse(schema.examples?.[0])),
      );
    }
  });

  it("may carry an Idempotency-Key when they are a POST", () => {
    const key = { $ref: "#/components/parameters/IdempotencyKey" };
    for (const { id, method } of operations) {
      const has_key = (described(id).parameters ?? []).some((parameter) => "$ref" in parameter);
      expect(has_key).toBe(method === "post");
      if (has_key) expect(described(id).parameters).toContainEqual(key);
    }
  });

  it("require a body only if a field is required", () => {
    for (const operation of operations) {
      const { id, method, body_name } = operation;
      const has_required = (schemas[body_name]?.required ?? []).length > 0;
      const expected = hasBody(operation) ? method === "post" && has_required : undefined;
      expect(described(id).requestBody?.required, id).toBe(expected);
    }
    expect(described("createCommission").requestBody?.required).toBe(true);
    expect(described("approveCommission").requestBody?.required).toBe(false);
  });

  it("have examples that their procedures accept", () => {
    for (const operation of operations.filter(hasBody)) {
      const example = described(operation.id).requestBody?.content["application/json"].example;
      const path = Object.fromEntries(pathParameters(operation).map((name) => [name, ID]));
      const result = operation.input.safeParse({ ...z.looseObject({}).parse(example), ...path });
      expect(result.error?.issues, operation.id).toBeUndefined();
    }
  });
});

describe("answers", () => {
  const { validateResponse } = validatorFor(document);

  function responsesOf(id: string): [number, Response][] {
    return Object.entries(described(id).responses).map(([status, response]) => {
      if (!("$ref" in response)) return [Number(status), response];
      const shared = document.components.responses[response.$ref.replace("#/components/responses/", "")];
      if (shared === undefined) throw new Error(`unknown response ${response.$ref}`);
      return [Number(status), shared];
    });
  }

  it("have valid examples", () => {
    for (const { id, method, path } of operations) {
      for (const [status, { content }] of responsesOf(id)) {
        const { example, examples = {} } = content?.["application/json"] ?? {};
        const bodies = [example, ...Object.values(examples).map(({ value }) => value)];
        for (const body of bodies.filter((body) => body !== undefined)) {
          const request = { method: method.toUpperCase(), path: `/v1${path.replace("{id}", ID)}` };
          expect(() => validateResponse({ ...request, status, body })).not.toThrow();
        }
      }
    }
  });

  it("have a named body for generated clients", () => {
    for (const { id, success_name } of operationsOf(v1)) {
      const [, success] = responsesOf(id).find(([status]) => status === 200) ?? [];
      const schema = { $ref: `#/components/schemas/${success_name}` };
      expect(success?.content?.["application/json"]?.schema).toEqual(schema);
    }
    // A class or interface called Error would shadow the language's own.
    expect(schemas).not.toHaveProperty("Error");
  });

  it("include each of the operation's errors, by code", () => {
    const create = documentedOperations(document).find(({ id }) => id === "createCommission");
    expect(Object.fromEntries(create?.statuses ?? [])).toEqual({
      200: [],
      400: ["invalid_request"],
      401: ["unauthorized"],
      403: ["insufficient_scope", "subscription_error", "quota_exceeded"],
      404: ["not_found"],
      409: ["commission_exists", "idempotency_conflict"],
      413: ["payload_too_large"],
      415: ["unsupported_media_type"],
      421: ["misdirected_request"],
      429: ["rate_limited"],
      500: ["internal_error"],
      503: ["unavailable"],
    });
    const list = documentedOperations(document).find(({ id }) => id === "listCampaigns");
    expect([...(list?.statuses.keys() ?? [])]).toEqual([200, 400, 401, 403, 421, 429, 500, 503]);
  });

  it("declare Retry-After", () => {
    expect(document.components.responses.RateLimited?.headers).toHaveProperty("Retry-After");
    expect(document.components.responses.Unavailable?.headers).toHaveProperty("Retry-After");
    expect(described("createReferral").responses[200]).toMatchObject({
      headers: { "Idempotency-Replayed": {}, "RateLimit-Remaining": {}, "X-Request-Id": {} },
    });
  });
});

describe("the audit log", () => {
  it("is a text of JSON lines, each a change or a security event", () => {
    const { content, description } = responseOf("getAuditLog");
    expect(description).toMatch(/line/i);
    expect(Object.keys(content ?? {})).toEqual(["application/x-ndjson"]);
    const { schema, example } = content?.["application/x-ndjson"] ?? {};
    expect(schema).toEqual({
      type: "string",
      contentMediaType: "application/x-ndjson",
      contentSchema: { $ref: "#/components/schemas/AuditLogLine" },
    });
    expect(schemas.AuditLogLine?.discriminator).toEqual({
      propertyName: "type",
      mapping: { change: "#/components/schemas/ChangeLine", security: "#/components/schemas/SecurityLine" },
    });
    expect(auditLogLineSchema.parse(JSON.parse(String(example)))).toMatchObject({ type: "change" });
  });

  it("has its query with the types of its values", () => {
    const { parameters = [], responses } = described("getAuditLog");
    expect(
      parameters.map((parameter) => ("name" in parameter ? [parameter.name, parameter.schema.type] : [])),
    ).toEqual([
      ["after", "string"],
      ["created_after", "string"],
      ["limit", "integer"],
    ]);
    expect(Object.keys(responses).map(Number)).toEqual([200, 400, 401, 403, 421, 429, 500, 503]);
  });

  function responseOf(id: string): Response {
    const { 200: response } = described(id).responses;
    if (response === undefined || "$ref" in response) throw new Error(`${id} has no response of its own`);
    return response;
  }
});

describe("an event of the feed", () => {
  const reference = (name: string | undefined) => ({ $ref: `#/components/schemas/${name}` });

  it("is one of the five types, discriminated by `type`", () => {
    const names = eventTypes.map((type) => feedEventSchemas[type].meta()?.id);
    expect(schemas.Event?.oneOf).toEqual(names.map(reference));
    expect(schemas.Event?.discriminator).toEqual({
      propertyName: "type",
      mapping: Object.fromEntries(eventTypes.map((type, index) => [type, reference(names[index]).$ref])),
    });
    expect(schemas.EventResponse?.properties?.data).toMatchObject(reference("Event"));
    expect(schemas.EventPage?.properties?.data?.items).toEqual(reference("Event"));
  });

  it("has the type and data of its webhook", () => {
    for (const type of eventTypes) {
      const event = schemas[feedEventSchemas[type].meta()?.id ?? ""]?.properties;
      const body = schemas[eventBodySchemas[type].meta()?.id ?? ""]?.properties;
      expect(event?.data?.$ref).toMatch(/EventData$/);
      expect([event?.type, event?.data]).toEqual([body?.type, body?.data]);
    }
  });
});

describe("webhooks", () => {
  it("include the five events with the signature headers", () => {
    expect(Object.keys(document.webhooks)).toEqual([...eventTypes]);
    for (const type of eventTypes) {
      const webhook = document.webhooks[type]?.post;
      expect(webhook?.parameters?.map((parameter) => ("name" in parameter ? parameter.name : ""))).toEqual([
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
      ]);
      expect(webhook?.requestBody?.content["application/json"].schema).toEqual({
        $ref: `#/components/schemas/${eventBodySchemas[type].meta()?.id}`,
      });
      expect(Object.keys(webhook?.responses ?? {})).toEqual(
        expect.arrayContaining(["2XX", "410", "default"]),
      );
    }
  });

  it("have valid example bodies", () => {
    for (const type of eventTypes) {
      const example = document.webhooks[type]?.post?.requestBody?.content["application/json"].example;
      expect(eventBodySchemas[type].parse(example)).toEqual(example);
    }
  });
});
