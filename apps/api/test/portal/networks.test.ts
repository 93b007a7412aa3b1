/* The networks of clicks and of affiliates in the portal: hashes alone, for campaigns that ask for them. */
import { NO_SIGNALS } from "@findersfee/contract/campaigns/signals";
import { eventually } from "@findersfee/database/testing/eventually";
import { afterAll, beforeAll, expect, it } from "vitest";
import { sharedTestService, type TestService } from "../test-service.ts";
import { click, createTrackedProgram, type TrackedProgram } from "../tracking-program.ts";
import { openFrame, openPortal, openView, portalOf } from "./affiliate-browser.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

let affiliates = 0;

async function newProgram(shared_network: "off" | "hold"): Promise<TrackedProgram & { email: string }> {
  affiliates += 1;
  const email = `networks${affiliates}@example.com`;
  const program = await createTrackedProgram(service, {
    campaign: { signals: { ...NO_SIGNALS, shared_network } },
    affiliate: { email },
  });
  return { ...program, email };
}

async function networksOf({ affiliate }: TrackedProgram) {
  return await service.database<{ network: string; is_today: boolean }[]>`
    select encode(network_hash, 'hex') as network, day = (now() at time zone 'UTC')::date as is_today
    from affiliate_networks where affiliate_id = ${affiliate.id}`;
}

async function clickNetworkOf(program: TrackedProgram): Promise<string | null> {
  await click(program);
  const [row] = await service.database<[{ network: string | null }]>`
    select encode(network_hash, 'hex') as network from clicks where affiliate_id = ${program.affiliate.id}`;
  return row.network;
}

it("records the network of an affiliate once a day, as the hash that a click from there has", async () => {
  const program = await newProgram("hold");
  const other = await newProgram("hold");
  const portal = portalOf(service, await openPortal(service, program.email), program.affiliate.id);
  await portal.home.get.query();
  const [own] = await eventually(async () => {
    const found = await networksOf(program);
    expect(found).toMatchObject([{ is_today: true }]);
    return found;
  });
  await portal.home.get.query();
  expect(await networksOf(program)).toHaveLength(1);
  expect(await clickNetworkOf(program)).toBe(own?.network);
  expect(own?.network).toMatch(/^[0-9a-f]{32}$/);
  // Those of organizations cannot be linked.
  expect(await clickNetworkOf(other)).not.toBe(own?.network);
});

it("records nothing where no campaign asks for it", async () => {
  const program = await newProgram("off");
  await portalOf(service, await openPortal(service, program.email), program.affiliate.id).home.get.query();
  expect(await clickNetworkOf(program)).toBeNull();
  expect(await networksOf(program)).toEqual([]);
});

it("records the affiliate in a frame, and not the staff that views its portal", async () => {
  const program = await newProgram("hold");
  const { organization_id, trpc } = program.organization;
  const staff = await service.staff(organization_id);
  const ask = async (session: string) => {
    const headers = { "findersfee-portal-session": session, "findersfee-affiliate": program.affiliate.id };
    const { status } = await fetch(`${service.url}/portal/trpc/home.get`, { headers });
    expect(status).toBe(200);
  };
  await ask(await openView(service, staff.trpc, program.affiliate.id));
  expect(await networksOf(program)).toEqual([]);
  await ask(await openFrame(service, trpc, program.affiliate.id));
  await eventually(async () => expect(await networksOf(program)).toHaveLength(1));
});
