import { randomBytes } from "node:crypto";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { OPERATOR } from "@findersfee/domain/actor";
import { createOrganization } from "@findersfee/domain/organizations/create";
import { claimDatabase } from "@findersfee/domain/secrets/key";
import { createEndpoint } from "@findersfee/domain/webhooks/endpoints/create";
import { expect, it } from "vitest";
import { findersfee, serviceEnvironment } from "../command-line.ts";

/** A database of a key, with an endpoint. */
async function makeEndpoint(test: TestDatabase, secrets_key: Buffer): Promise<void> {
  const { database } = test;
  await claimDatabase(database, secrets_key);
  const organization = { currency: "USD", subscription_status: "active" } as const;
  const { organization_id: id } = await createOrganization(database, { name: "Acme", ...organization });
  await createEndpoint(
    {
      database,
      organization: { id, ...organization },
      actor: OPERATOR,
      idempotency: null,
      notifyWorkers: () => {},
    },
    { secrets_key, allow_http: false, allow_private: false },
    { url: "https://example.com/webhooks", event_types: null, description: "" },
  );
}

it("changes the key in two steps, and abandons the secrets of a lost one", async () => {
  const test = await createTestDatabase();
  try {
    const former = randomBytes(32);
    await makeEndpoint(test, former);
    const SECRETS_KEY = randomBytes(32).toString("base64");
    const alone = serviceEnvironment(test.url, { SECRETS_KEY });
    const both = { ...alone, SECRETS_KEY_FORMER: former.toString("base64") };
    expect(await findersfee("secrets rotate", alone)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("SECRETS_KEY_FORMER: is required"),
    });
    expect(await findersfee("secrets rotate", both)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("1 secrets were encrypted with SECRETS_KEY.\n0 secrets still need"),
    });
    expect(await findersfee("worker", alone)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("set SECRETS_KEY_FORMER as well"),
    });
    const finished = await findersfee("secrets rotate --finish --json", both);
    expect(JSON.parse(finished.stdout)).toMatchObject({ re_encrypted: 0, left: 0, is_finished: true });
    expect(await findersfee("secrets verify", alone)).toMatchObject({ code: 0 });

    const lost = serviceEnvironment(test.url);
    expect(await findersfee("secrets abandon", lost)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Nothing was changed."),
    });
    const abandoned = await findersfee("secrets abandon --yes --json", lost);
    expect(JSON.parse(abandoned.stdout)).toMatchObject({ place: "endpoint_secret", removed: true });
    expect(await findersfee("secrets verify", lost)).toMatchObject({ code: 0 });
  } finally {
    await test.close();
  }
});

it("points to the repair command for a damaged check value, which accepts only the right key", async () => {
  const test = await createTestDatabase();
  try {
    const { database } = test;
    const secrets_key = randomBytes(32);
    await makeEndpoint(test, secrets_key);
    await database`update secrets_key_check set sealed = sealed || '\\x00'::bytea`;

    const environment = serviceEnvironment(test.url, { SECRETS_KEY: secrets_key.toString("base64") });
    expect(await findersfee("worker", environment)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("run `findersfee secrets repair`"),
    });
    expect(await findersfee("secrets verify", environment)).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(
        /^SECRETS_KEY decrypts 1 of 1 stored secrets\.\nSECRETS_KEY does not decrypt the check value/,
      ),
    });
    expect(await findersfee("secrets repair", serviceEnvironment(test.url))).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("opens none of the 1 stored secrets"),
    });
    expect(await findersfee("secrets repair", environment)).toMatchObject({ code: 0, stderr: "" });
    const verified = await findersfee("secrets verify --json", environment);
    expect(verified).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(verified.stdout)).toEqual({ opens_check: true, tried: 1, unreadable: [] });
  } finally {
    await test.close();
  }
});
