import type { ErrorCode } from "@findersfee/contract/errors";
import { splitReadOnly } from "@findersfee/contract/read-only";
import { initTRPC } from "@trpc/server";
import type { OpenApiMeta, OpenApiMethod, OpenApiRouter } from "trpc-openapi";
import { z } from "zod";
import { envelopeFor } from "../rest/envelope.ts";
import { restProcedures } from "../rest/procedures.ts";
import type { SuccessType } from "./document-types.ts";

/** A procedure with a REST route, as the document needs it. */
export interface Operation {
  /** The procedure: `campaigns.create`. */
  name: string;
  /** The operation id, which client generators use as the name: `createCampaign`. */
  id: string;
  /** The name of its request body, if any: `CreateCampaign`. */
  body_name: string;
  /** The name of its success body: `CampaignResponse`, or `CampaignPage` for a list. */
  success_name: string;
  method: "get" | "post" | "put";
  path: string;
  openapi: NonNullable<OpenApiMeta["openapi"]>;
  input: z.ZodObject;
  output: z.ZodType;
  /** JSON in its envelope, or a feed: lines of JSON, each an `output`. */
  success_type: SuccessType;
  description_of_success: string;
  /** The errors in addition to the common ones. */
  errors: readonly ErrorCode[];
}

/** Every REST operation of a router. */
export function operationsOf(router: OpenApiRouter): Operation[] {
  return restProcedures(router).map(({ name, openapi, input, output, errors }) => {
    const id = openapi.operationId ?? operationId(name);
    return {
      name,
      id,
      body_name: capitalized(id),
      success_name: successName(name, output),
      method: methodOf(openapi.method),
      path: openapi.path,
      openapi,
      input,
      output,
      success_type: "application/json",
      description_of_success: openapi.successDescription ?? descriptionOfSuccess(name),
      errors,
    };
  });
}

/**
 * `campaigns.list` becomes `listCampaigns`; other verbs concern one resource: `campaigns.create`,
 * `createCampaign`.
 */
function operationId(procedure: string): string {
  const [resource = "", verb = ""] = procedure.split(".");
  const noun = verb === "list" ? resource : resource.replace(/s$/, "");
  return `${verb}${typeName(noun)}`;
}

/** Client generators need a name for each body: the name of its data. */
function successName(procedure: string, output: z.ZodType): string {
  const [resource = "", verb = ""] = procedure.split(".");
  if (verb === "list") return `${typeName(resource.replace(/s$/, ""))}Page`;
  const data = output.meta()?.id;
  if (data === undefined) throw new Error(`the output of ${procedure} has no id`);
  return `${data}Response`;
}

function descriptionOfSuccess(procedure: string): string {
  const [resource = "", verb = ""] = procedure.split(".");
  const nouns = resource.replaceAll("_", " ");
  const noun = nouns.replace(/s$/, "");
  switch (verb) {
    case "list":
      return `A page of ${nouns}.`;
    case "create":
      return `The new ${noun}.`;
    case "update":
      return `The updated ${noun}.`;
    case "get":
      return `The ${noun}.`;
    default:
      return "The changes that it made, or would make.";
  }
}

/** `portal_token` as `PortalToken`. */
export function typeName(noun: string): string {
  return noun.split("_").map(capitalized).join("");
}

function methodOf(method: OpenApiMethod): Operation["method"] {
  switch (method) {
    case "GET":
      return "get";
    case "POST":
      return "post";
    case "PUT":
      return "put";
    case "PATCH":
    case "DELETE":
      throw new Error(`unsupported method ${method}`);
  }
}

/** `createCampaign` as `CreateCampaign`, a type's name. */
export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

export function pathParameters({ path }: Operation): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

const t = initTRPC.meta<OpenApiMeta>().create();

/**
 * The operations as trpc-openapi's generator needs them to describe REST's actual responses: in their
 * envelope, and without the generator's own errors. The procedures themselves are unchanged.
 */
export function documentedRouter(operations: readonly Operation[]): OpenApiRouter {
  const successes = successSchemas(operations);
  return t.router(
    Object.fromEntries(
      operations.map(({ id, openapi, input, output, success_name }) => [
        id,
        t.procedure
          .meta({ openapi: { ...openapi, operationId: id, errorResponses: {} } })
          .input(describedInside(splitReadOnly(input).writable))
          .output(successes.get(success_name) ?? output)
          .query(() => {
            throw new Error("described, never called");
          }),
      ]),
    ),
  );
}

/** The envelopes by name. The operations on one resource share an envelope, which must be the same object. */
function successSchemas(operations: readonly Operation[]): Map<string, z.ZodType> {
  return new Map(
    operations
      .filter(({ success_type }) => success_type === "application/json")
      .map(({ success_name, output }) => {
        return [success_name, envelopeFor(output).schema.meta({ id: success_name })];
      }),
  );
}

/**
 * The generator strips `.optional()` from each parameter, and the description on that wrapper. So this moves
 * the description to the inner schema.
 */
function describedInside(input: z.ZodObject): z.ZodObject {
  const shape = Object.entries(input.shape).map(([name, field]) => {
    const inside = field instanceof z.ZodOptional ? field.unwrap() : null;
    if (!(inside instanceof z.ZodType)) return [name, field] as const;
    // `meta` creates a copy; the procedure's own schema is unchanged.
    return [name, inside.meta({ ...field.meta() }).optional()] as const;
  });
  return z.strictObject(Object.fromEntries(shape));
}
