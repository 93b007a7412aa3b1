import { afterAll, beforeAll, expect, it } from "vitest";
import { CAMPAIGN, type Service, startService } from "./service.ts";

let service: Service;

beforeAll(async () => {
  service = await startService();
});

afterAll(() => service.close());

it("sends whole objects back, and names a changed read-only field", async () => {
  const { client } = service;
  const campaign = await client.campaigns.create({ ...CAMPAIGN, name: "Whole", is_default: false });
  const affiliate = await client.affiliates.create({ email: "whole@example.com", campaign_id: campaign.id });
  const referral = await client.referrals.create({ affiliate_id: affiliate.id, email: "two@example.com" });
  const commission = await client.commissions.create({
    referral_id: referral.id,
    revenue_amount: 100,
    commission_amount: 30,
  });
  expect((await client.campaigns.update({ ...campaign, name: "Changed" })).name).toBe("Changed");
  const read = await client.affiliates.get({ id: affiliate.id });
  expect(await client.affiliates.update({ ...read, first_name: "Ann" })).toEqual({
    ...read,
    first_name: "Ann",
  });
  const customer = await client.referrals.get({ id: referral.id });
  await client.referrals.update({ ...customer, subscription_status: "active" });
  const earned = await client.commissions.get({ id: commission.id });
  expect((await client.commissions.update({ ...earned, commission_amount: 24 })).commission_amount).toBe(24);
  await expect(client.commissions.update({ ...earned, currency: "EUR" })).rejects.toMatchObject({
    code: "invalid_request",
    issues: [{ path: "currency", message: "Read-only: leave it out, or send its current value." }],
  });
  for (const { update, id } of [
    { update: client.campaigns.update, id: campaign.id },
    { update: client.affiliates.update, id: affiliate.id },
  ]) {
    // @ts-expect-error: a field that no response has cannot be updated either.
    await expect(update({ id, colour: "green" })).rejects.toMatchObject({ code: "invalid_request" });
  }
});
