import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { account } from "../../requests/account.ts";

/** The key of all data on the pages of a person's account. */
export const accountKey = ["account"];

export const credentialsQuery = queryOptions({
  queryKey: [...accountKey, "credentials"],
  queryFn: ({ signal }) => account.credentials.get.query(undefined, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: [...accountKey, "passkeys"],
  queryFn: ({ signal }) => account.passkeys.list.query(undefined, { signal }),
});

export type Passkey = Awaited<ReturnType<typeof account.passkeys.list.query>>[number];

export const sessionsQuery = queryOptions({
  queryKey: [...accountKey, "sessions"],
  queryFn: ({ signal }) => account.sessions.list.query(undefined, { signal }),
});

export type UserSession = Awaited<ReturnType<typeof account.sessions.list.query>>[number];

export const securityEventsQuery = infiniteQueryOptions({
  queryKey: [...accountKey, "security events"],
  queryFn: ({ pageParam, signal }) =>
    account.security_events.list.query({ limit: 10, cursor: pageParam }, { signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ pagination }) => pagination.next_cursor ?? undefined,
});

export type SecurityEvent = Awaited<ReturnType<typeof account.security_events.list.query>>["data"][number];
