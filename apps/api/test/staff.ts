import type { StaffClient, TestService } from "./test-service.ts";

/** An organization with a client of its owner. */
export interface Staff {
  organization_id: string;
  staff: StaffClient["trpc"]["dashboard"];
}

export async function makeStaff(service: TestService): Promise<Staff> {
  return await staffOf(service, (await service.organization()).organization_id);
}

/** An owner of an existing organization. */
export async function staffOf(service: TestService, organization_id: string): Promise<Staff> {
  const { trpc } = await service.staff(organization_id);
  return { organization_id, staff: trpc.dashboard };
}
