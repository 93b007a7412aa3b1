/* PgBouncer takes connections and holds their statements while its Postgres does not answer: refused connections would fail at once. */

import { connect } from "@findersfee/database/postgres/connect";
import { eventually } from "@findersfee/database/testing/eventually";
import { OwnPostgres } from "@findersfee/database/testing/own-postgres";
import { PgBouncer, pgbouncerVersion } from "@findersfee/database/testing/pgbouncer";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { expect, it } from "vitest";
import { startApi } from "../../src/server.ts";
import { ENDPOINT_POLICY, QUIET } from "../test-service.ts";

it.skipIf(pgbouncerVersion() === null)("answers 503 and no 429 behind PgBouncer, and recovers", async () => {
  const postgres = await OwnPostgres.start();
  const bouncer = await PgBouncer.start(postgres.url, { server_login_retry: "1" });
  const database = connect({ url: bouncer.url, poolSize: 5, prepare: false, name: "findersfee api" });
  const concurrent_requests = { per_key: 20, per_organization: 0, per_address: 0 };
  const api = await startApi({ ...QUIET, concurrent_requests }, database, {
    endpoint_policy: ENDPOINT_POLICY,
  });
  try {
    const organization = { name: "Test", currency: "USD", subscription_status: "active" } as const;
    const { api_key } = await createOrganization(database, organization);
    const ask = async () => {
      const started = performance.now();
      const { status } = await fetch(`${api.url}/v1/campaigns`, {
        headers: { authorization: `Bearer ${api_key}` },
      });
      return { status, seconds: (performance.now() - started) / 1000 };
    };
    expect((await ask()).status).toBe(200);
    await postgres.freeze();
    const asked: ReturnType<typeof ask>[] = [];
    await eventually(
      () => {
        asked.push(ask());
        expect(asked).toHaveLength(150);
      },
      { interval: 30 },
    );
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(10);
    postgres.thaw();
    await eventually(async () => expect((await ask()).status).toBe(200));
  } finally {
    await api.close();
    await database.end({ timeout: 1 });
    await bouncer.stop();
    await postgres.remove();
  }
});
