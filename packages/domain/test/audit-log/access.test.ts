import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Actor, actorText } from "../../src/actor.ts";
import type { Context } from "../../src/context.ts";
import { createApiKey } from "../../src/identity/api-keys/create.ts";
import { revokeApiKey } from "../../src/identity/api-keys/revoke.ts";
import { createOrganization } from "../../src/organizations/create.ts";
import { updateOrganization } from "../../src/organizations/update.ts";
import { connectProcessor } from "../../src/processors/connections/connect.ts";
import { disconnectProcessor } from "../../src/processors/connections/disconnect.ts";
import { rotateProcessor } from "../../src/processors/connections/rotate.ts";
import { updateProcessor } from "../../src/processors/connections/update.ts";
import { createEndpoint } from "../../src/webhooks/endpoints/create.ts";
import { deleteEndpoint } from "../../src/webhooks/endpoints/delete.ts";
import { disableEndpoint } from "../../src/webhooks/endpoints/disable.ts";
import {
  disableFailingEndpoints,
  disableGoneEndpoint,
} from "../../src/webhooks/endpoints/disable-failing.ts";
import { enableEndpoint } from "../../src/webhooks/endpoints/enable.ts";
import { expireEndpointSecret } from "../../src/webhooks/endpoints/expire-secret.ts";
import { listEndpoints } from "../../src/webhooks/endpoints/list.ts";
import { rotateEndpoint } from "../../src/webhooks/endpoints/rotate.ts";
import { updateEndpoint } from "../../src/webhooks/endpoints/update.ts";
import { addEndpoint, makeContext, POLICY } from "../subscriber.ts";
import { history, recorded } from "./history.ts";

const KEY: Actor = { kind: "key", id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90" };
const ACTOR = actorText(KEY);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const UUID = expect.stringMatching(/^[0-9a-f-]{36}$/);

const STRIPE_SECRET = "whsec_5f0b9a7cde1234567890abcdef123456";
const OTHER_SECRET = "whsec_0000000000000000000000000000abcd";
const API_KEY = "rk_live_51Abcdefghijklmnop5678";
/** A key with the same last characters. */
const OTHER_API_KEY = "rk_live_51Qrstuvwxyzabcdef5678";

let test: TestDatabase;
let context: Context;
/** Every secret that this file created or passed. */
const secrets: string[] = [STRIPE_SECRET, OTHER_SECRET, API_KEY, OTHER_API_KEY];

beforeAll(async () => {
  test = await createTestDatabase();
  context = { ...(await makeContext(test.database)), actor: KEY };
});

afterAll(() => test.close());

it("records organizations and first keys that the operator creates", async () => {
  const values = { name: "Mine", currency: "EUR", subscription_status: "trialing" } as const;
  const { organization_id: id, api_key, publishable_key } = await createOrganization(test.database, values);
  secrets.push(api_key, publishable_key);
  const mine = { ...context, organization: { ...values, id } };
  const made = { action: "created", actor: "operator", before: null };
  const first = await history(mine);
  expect(first).toHaveLength(3);
  // The two keys are made at the same moment.
  for (const one of [
    { ...made, resource: "organization", resource_id: id, after: expect.objectContaining(values) },
    {
      ...made,
      resource: "api_key",
      after: expect.objectContaining({ kind: "secret", last_four: api_key.slice(-4) }),
    },
    {
      ...made,
      resource: "api_key",
      after: expect.objectContaining({ kind: "publishable", scopes: ["track"] }),
    },
  ]) {
    expect(first).toContainEqual(expect.objectContaining(one));
  }
  const change = () => updateOrganization(test.database, { id, subscription_status: "active" });
  expect(await recorded(mine, change)).toEqual([
    {
      resource: "organization",
      resource_id: id,
      action: "updated",
      actor: "operator",
      before: { subscription_status: "trialing" },
      after: { subscription_status: "active" },
      currency: null,
    },
  ]);
  expect(await recorded(mine, change)).toEqual([]);
});

it("records keys that the operator creates and revokes", async () => {
  const organization_id = context.organization.id;
  const expires_at = new Date(Date.now() + 3_600_000);
  const key = { organization_id, name: "Jane", scopes: ["admin" as const], expires_at };
  const { id, token } = await createApiKey(test.database, key);
  secrets.push(token);
  const shown = { kind: "secret", name: "Jane", scopes: ["admin"], last_four: token.slice(-4) };
  const [created] = await history(context, { resource_id: id });
  expect(created).toMatchObject({ resource: "api_key", actor: "operator", before: null });
  expect(created?.after).toEqual({ ...shown, expires_at: expires_at.toISOString(), revoked_at: null });
  const revoke = () => revokeApiKey(test.database, id);
  expect(await recorded(context, revoke)).toEqual([
    {
      resource: "api_key",
      resource_id: id,
      action: "revoked",
      actor: "operator",
      before: { revoked_at: null },
      after: { revoked_at: TIME },
      currency: null,
    },
  ]);
  expect(await recorded(context, revoke)).toEqual([]);
});

describe("endpoints", () => {
  const of = (resource_id: string, actor = ACTOR) => ({
    resource: "endpoint",
    resource_id,
    actor,
    currency: null,
  });
  const ENABLED = { enabled: true, disabled_at: null, disabled_reason: null };

  it("are recorded from creation to deletion", async () => {
    const input = { url: "https://example.com/a", event_types: null, description: "" };
    const { id, secret } = await createEndpoint(context, POLICY, input);
    secrets.push(secret);
    const current = { id: UUID, created_at: TIME, expires_at: null };
    const whole = { ...input, ...ENABLED, secrets: [current] };
    expect(await history(context, { resource_id: id })).toMatchObject([
      { ...of(id), action: "created", before: null, after: whole },
    ]);
    const update = () => updateEndpoint(context, POLICY, { id, event_types: ["referral.created"] });
    expect(await recorded(context, update)).toEqual([
      {
        ...of(id),
        action: "updated",
        before: { event_types: null },
        after: { event_types: ["referral.created"] },
      },
    ]);
    expect(await recorded(context, update)).toEqual([]);
    const disabled = { enabled: false, disabled_at: TIME, disabled_reason: "operator" };
    const disable = () => disableEndpoint(context, id);
    expect(await recorded(context, disable)).toEqual([
      { ...of(id), action: "disabled", before: ENABLED, after: disabled },
    ]);
    expect(await recorded(context, disable)).toEqual([]);
    const enable = () => enableEndpoint(context, { id, replay_missed: true }, POLICY);
    expect(await recorded(context, enable)).toEqual([
      { ...of(id), action: "enabled", before: disabled, after: ENABLED },
    ]);
    expect(await recorded(context, enable)).toEqual([]);
    const rotate = async () =>
      secrets.push((await rotateEndpoint(context, POLICY, { id, overlap_seconds: 60 })).secret);
    expect(await recorded(context, rotate)).toEqual([
      {
        ...of(id),
        action: "rotated",
        before: { secrets: [current] },
        after: { secrets: [current, { ...current, expires_at: TIME }] },
      },
    ]);
    const secret_id =
      (await listEndpoints(context)).find((endpoint) => endpoint.id === id)?.secrets[1]?.id ?? "";
    expect(await recorded(context, () => expireEndpointSecret(context, { id, secret_id }))).toEqual([
      {
        ...of(id),
        action: "secret_expired",
        before: { secrets: [current, { ...current, id: secret_id, expires_at: TIME }] },
        after: { secrets: [current] },
      },
    ]);
    const [deleted] = await recorded(context, () => deleteEndpoint(context, id));
    expect(deleted).toMatchObject({ ...of(id), action: "deleted", after: null });
    expect(deleted?.before).toMatchObject({ url: input.url, event_types: ["referral.created"] });
  });

  it("are recorded with the job that disables them", async () => {
    const { id } = await addEndpoint(context);
    const endpoint = { organization_id: context.organization.id, endpoint_id: id };
    const gone = () => disableGoneEndpoint(test.database, endpoint);
    const disabled = (reason: string) => ({ enabled: false, disabled_at: TIME, disabled_reason: reason });
    expect(await recorded(context, gone)).toEqual([
      { ...of(id, "job deliver"), action: "disabled", before: ENABLED, after: disabled("gone") },
    ]);
    expect(await recorded(context, gone)).toEqual([]);
    const { id: failing } = await addEndpoint(context);
    await test.database`
      insert into endpoint_health (organization_id, endpoint_id, failing_since, last_failed_at)
      values (${context.organization.id}, ${failing}, now() - interval '6 days', now())
      on conflict (organization_id, endpoint_id) do update
      set failing_since = excluded.failing_since, last_failed_at = excluded.last_failed_at`;
    expect(await recorded(context, () => disableFailingEndpoints(test.database))).toEqual([
      {
        ...of(failing, "job disable_failing"),
        action: "disabled",
        before: ENABLED,
        after: disabled("failing"),
      },
    ]);
  });
});

describe("connections to processors", () => {
  const KEY = POLICY.secrets_key;
  const STRIPE = { resource: "processor", resource_id: "stripe", actor: ACTOR, currency: null };
  const whole = {
    livemode: true,
    api_key_last_four: "5678",
    previous_secret_expires_at: null,
    connected_accounts: [],
  };

  it("are recorded without their secrets", async () => {
    const connect = () =>
      connectProcessor(context, KEY, {
        name: "stripe",
        signing_secret: STRIPE_SECRET,
        api_key: API_KEY,
        livemode: true,
      });
    expect(await recorded(context, connect)).toEqual([
      { ...STRIPE, action: "created", before: null, after: whole },
    ]);
    await expect(connect()).rejects.toMatchObject({ code: "invalid_request" });
    const update = (api_key: string | null | undefined) =>
      recorded(context, () => updateProcessor(context, KEY, { name: "stripe", api_key }));
    expect(await update(undefined)).toEqual([]);
    expect(await update(API_KEY)).toEqual([]);
    expect(await update(OTHER_API_KEY)).toEqual([{ ...STRIPE, action: "rotated", before: {}, after: {} }]);
    expect(await update(null)).toEqual([
      {
        ...STRIPE,
        action: "updated",
        before: { api_key_last_four: "5678" },
        after: { api_key_last_four: null },
      },
    ]);
    const rotate = () => rotateProcessor(context, KEY, { name: "stripe", signing_secret: OTHER_SECRET });
    expect(await recorded(context, rotate)).toMatchObject([
      { ...STRIPE, action: "rotated", after: { previous_secret_expires_at: TIME } },
    ]);
    expect(
      await recorded(context, () => disconnectProcessor(context, { name: "stripe", leave_endpoint: false })),
    ).toMatchObject([{ ...STRIPE, action: "deleted", before: { livemode: true }, after: null }]);
  });
});

it("records no secret and no hash of one", async () => {
  const [{ text }] = await test.database<[{ text: string }]>`
    select string_agg(entry::text, ' ') as text from audit_log_entries entry`;
  const hashes = await test.database<{ hash: string }[]>`select encode(hash, 'hex') as hash from api_keys`;
  const sealed = await test.database<{ hash: string }[]>`
    select encode(secret_encrypted, 'hex') as hash from endpoint_secrets`;
  expect(secrets.length).toBeGreaterThan(8);
  for (const secret of [...secrets, ...[...hashes, ...sealed].map(({ hash }) => hash)]) {
    expect(text).not.toContain(secret);
    expect(text).not.toContain(secret.slice(8, 24));
  }
  expect(text).not.toMatch(/whsec_|ff_sk_|ff_st_|ff_pk_|rk_live_|hash|encrypted/);
});
