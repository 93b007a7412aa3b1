import { requestPortalCode } from "@findersfee/database/portal/codes";
import { setPortalLanguage } from "@findersfee/database/portal/joining";
import { createTestDatabase, type TestDatabase } from "@findersfee/database/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  hashNetwork,
  hashSecretToken,
  mailedToken,
  newSecretToken,
} from "../../src/identity/accounts/secret-token.ts";
import { newId } from "../../src/ids.ts";
import { composeAccountLink } from "../../src/mails/account-links.ts";
import { mailedCode } from "../../src/portal/mailed-code.ts";
import { makeContext } from "../subscriber.ts";

const secrets_key = Buffer.alloc(32, 7);
const public_url = "https://app.example.com";
let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

describe("a mailed code", () => {
  it("has six digits, the same for an id and a key", () => {
    const ids = Array.from({ length: 2_000 }, () => newId(new Date()));
    const codes = ids.map((id) => mailedCode(secrets_key, id));
    for (const code of codes) expect(code).toMatch(/^\d{6}$/);
    expect(new Set(codes).size).toBeGreaterThan(1_970);
    // A tenth of them begin with a zero.
    expect(codes.some((code) => code.startsWith("0"))).toBe(true);
    expect(ids.map((id) => mailedCode(secrets_key, id))).toEqual(codes);
    const others = ids.map((id) => mailedCode(Buffer.alloc(32, 8), id));
    expect(others.filter((code, at) => code === codes[at]).length).toBeLessThan(10);
  });

  it("is mailed with its link until it is used or has expired", async () => {
    const { organization } = await makeContext(test.database);
    const id = newId(new Date());
    const email = "jane@example.com";
    const link = mailedToken(secrets_key, "portal", id);
    const code_row = {
      id,
      email,
      limited_to: null,
      browser_hash: hashSecretToken(newSecretToken()),
      link_hash: hashSecretToken(link),
      network_hash: hashNetwork(secrets_key, "192.0.2"),
      created_at: new Date(),
      expires_at: new Date(Date.now() + 60_000),
    };
    const limits = { open_of_network: 5, open_of_all: 5, day_of_network: 5, day_of_all: 5 };
    await requestPortalCode(test.database, code_row, limits);
    await setPortalLanguage(test.database, { email, language: "de" });
    const compose = (url: string | null = public_url) =>
      composeAccountLink({ sql: test.database, secrets_key, public_url: url }, {
        kind: "portal_code",
        about: id,
        recipient: email,
        organization_id: organization.id,
        organization_name: "Acme",
      } as Parameters<typeof composeAccountLink>[1]);
    const code = mailedCode(secrets_key, id);
    expect(await compose()).toMatchObject({
      language: "de",
      subject: `${code} ist Ihr Code für das Affiliate-Portal`,
      heading: code,
      blocks: [
        {},
        { text: "Der Code gilt nur auf app.example.com." },
        { kind: "link", url: `${public_url}/portal/sign-in/confirm#${link}` },
      ],
    });
    expect(await compose(null)).toHaveProperty("dropped");
    await test.database`update portal_codes set used_at = now() where id = ${id}`;
    expect(await compose()).toEqual({ dropped: "the code was used or has expired" });
  });
});
