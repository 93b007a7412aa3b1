import { STRIPE_SECRET } from "@findersfee/domain/testing/processors/signed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeStaff } from "../staff.ts";
import { sharedTestService, type TestService } from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

describe("connections", () => {
  it("are created once, updated, and shown without secrets", async () => {
    const organization = await makeStaff(service);
    await expect(organization.staff.processors.connect.mutate({ name: "stripe" })).rejects.toThrow();
    const api_key = "rk_test_abcdefgh12345678";
    const connected = await organization.staff.processors.connect.mutate({
      name: "stripe",
      signing_secret: STRIPE_SECRET,
      api_key,
      livemode: false,
    });
    expect(connected).toMatchObject({
      api_key_last_four: "5678",
      livemode: false,
      signing_secret: STRIPE_SECRET,
    });
    await expect(
      organization.staff.processors.connect.mutate({ name: "stripe", signing_secret: STRIPE_SECRET }),
    ).rejects.toMatchObject({ data: { code: "invalid_request" } });
    const [row] =
      await service.database`select * from processors where organization_id = ${organization.organization_id}`;
    expect(JSON.stringify(row)).not.toContain("abcdefgh");
    expect(String(row?.secret_encrypted)).not.toContain(STRIPE_SECRET.slice(6));
    const live = organization.staff.processors.update.mutate({ name: "stripe", livemode: true });
    await expect(live).rejects.toMatchObject({ data: { issues: [{ path: "api_key" }] } });
    expect(
      await organization.staff.processors.update.mutate({ name: "stripe", livemode: true, api_key: null }),
    ).toMatchObject({ livemode: true, api_key_last_four: null });
    const listed = await organization.staff.processors.list.query();
    expect(listed).toHaveLength(1);
    expect(JSON.stringify(listed)).not.toContain("whsec_");
  });

  it("of the generic processor have no API key and no test mode", async () => {
    const organization = await makeStaff(service);
    const connect = (values: object) =>
      organization.staff.processors.connect.mutate({ name: "generic", ...values });
    await expect(connect({ livemode: false })).rejects.toMatchObject({ data: { code: "invalid_request" } });
    await expect(connect({ api_key: "rk_live_abcdefgh1" })).rejects.toMatchObject({
      data: { code: "invalid_request" },
    });
    await expect(connect({ signing_secret: "whsec_not_base64_at_all" })).rejects.toMatchObject({
      data: { code: "invalid_request" },
    });
  });
});
