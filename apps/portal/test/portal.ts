import { startTestService, type TestClient, type TestService } from "@findersfee/api/testing/test-service";
import { buildPortal } from "../scripts/build.ts";

export async function startPortal(config = {}): Promise<TestService> {
  return await startTestService(config, undefined, { portal: await buildPortal() });
}

const CAMPAIGN = {
  name: "Partner program",
  website_url: "https://acme.example",
  commission_type: "percentage",
  commission_amount: 30,
} as const;

/** An organization with a default campaign, in both languages. */
export async function addOrganization(service: TestService, name: string): Promise<TestClient> {
  const organization = await service.organization();
  await service.database`
    update organizations set name = ${name}, languages = '{en,de}' where id = ${organization.organization_id}`;
  await organization.trpc.campaigns.create.mutate({ ...CAMPAIGN, is_default: true });
  return organization;
}
