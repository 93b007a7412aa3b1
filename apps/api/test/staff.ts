import { createApiKey } from "@findersfee/domain/api-keys/create";
import type { Surfaces, TestService } from "./test-service.ts";

/** An organization with a client for its staff. */
export interface Staff {
  organization_id: string;
  staff: Surfaces["trpc"]["dashboard"];
}

export async function makeStaff(service: TestService): Promise<Staff> {
  return await staffOf(service, (await service.organization()).organization_id);
}

/** The staff of an existing organization. */
export async function staffOf(service: TestService, organization_id: string): Promise<Staff> {
  const expires_at = new Date(Date.now() + 3_600_000);
  const key = { organization_id, name: "Jane", scopes: ["staff" as const], expires_at };
  const { token } = await createApiKey(service.database, key);
  return { organization_id, staff: service.client(token).trpc.dashboard };
}
