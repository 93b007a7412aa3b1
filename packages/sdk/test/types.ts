/*
 * Compiles only while the SDK's types equal the service's: when they differ, the compiler names the
 * procedure. Nothing here runs.
 */
import type { V1Router } from "@findersfee/api/v1-router";
import type { ApiErrorCode } from "@findersfee/contract/errors";
import type { eventBodySchemas, eventSchema } from "@findersfee/contract/webhooks/events";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import type { z } from "zod";
import type { ErrorCode, Event, EventType, Findersfee, WebhookEvent } from "../src/index.ts";

type Inputs = inferRouterInputs<V1Router>;
type Outputs = inferRouterOutputs<V1Router>;

/** The input and output of each client method. */
type ClientInputs = {
  [Resource in keyof Findersfee]: {
    [Verb in keyof Findersfee[Resource]]: Findersfee[Resource][Verb] extends (
      input: infer Input,
      ...rest: never
    ) => unknown
      ? Exclude<Input, undefined>
      : never;
  };
};
type ClientOutputs = {
  [Resource in keyof Findersfee]: {
    [Verb in keyof Findersfee[Resource]]: Findersfee[Resource][Verb] extends (
      ...parameters: never
    ) => infer Output
      ? Awaited<Output>
      : never;
  };
};

/** Resolves names and intersections, recursively. */
type Plain<Type> = Type extends object ? { [Key in keyof Type]: Plain<Type[Key]> } : Type;

/** True for identical types, including optional fields and `undefined`. */
type Same<One, Other> =
  (<T>() => T extends Plain<One> ? 1 : 2) extends <T>() => T extends Plain<Other> ? 1 : 2 ? true : false;

type FieldOf<Type, Key> = Key extends keyof Type ? Type[Key] : "missing";

/** The procedures that differ, as in `affiliates.create`. */
type Differences<One, Other> = {
  [Resource in keyof One & string]: {
    [Verb in keyof One[Resource] & string]: Same<
      One[Resource][Verb],
      FieldOf<FieldOf<Other, Resource>, Verb>
    > extends true
      ? never
      : `${Resource}.${Verb}`;
  }[keyof One[Resource] & string];
}[keyof One & string];

type None<Found extends never> = Found;
type All<Found extends true> = Found;

export type WrongInputs = None<Differences<Inputs, ClientInputs> | Differences<ClientInputs, Inputs>>;
export type WrongOutputs = None<Differences<Outputs, ClientOutputs> | Differences<ClientOutputs, Outputs>>;

export type SameErrorCodes = All<Same<ErrorCode, ApiErrorCode>>;

type Bodies = { [Type in keyof typeof eventBodySchemas]: z.infer<(typeof eventBodySchemas)[Type]> };
export type SameEvents = All<
  Same<WebhookEvent, Bodies[keyof Bodies]> | Same<EventType, keyof Bodies> | Same<EventType, Event["type"]>
>;
export type WrongEvents = None<
  {
    [Type in EventType]: Same<Extract<WebhookEvent, { type: Type }>, Bodies[Type]> extends true
      ? never
      : Type;
  }[EventType]
>;

export type SameFeed = All<Same<Event, z.infer<typeof eventSchema>>>;
