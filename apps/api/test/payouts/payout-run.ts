import { workPayoutRuns } from "@findersfee/domain/testing/work";
import { createProgram, type Program } from "../program.ts";
import type { StaffClient, TestService } from "../test-service.ts";

/** A finished run that pays all affiliates of a program, each one commission. */
export interface PaidOut {
  program: Program;
  staff: StaffClient;
  run_id: string;
  payouts: PaidOutRow[];
}

export interface PaidOutRow {
  id: string;
  affiliate_name: string;
  payout_email: string;
  amount: string;
  currency: string;
}

const LONG_AGO = "2026-01-01T00:00:00.000Z";

/** One payout per amount: `12.50 USD`. */
export async function payOut(
  service: TestService,
  amounts: readonly string[],
  { method = "manual" }: { method?: "manual" | "paypal" | "wise" } = {},
): Promise<PaidOut> {
  const program = await createProgram(service);
  const { organization_id, trpc } = program.organization;
  const payouts: PaidOutRow[] = [];
  for (const [number, text] of amounts.entries()) {
    const [amount = "", currency = ""] = text.split(" ");
    const affiliate_name = `Partner ${number}`;
    const payout_email = `partner${number}@example.com`;
    const affiliate = await trpc.affiliates.create.mutate({
      email: payout_email,
      first_name: "Partner",
      last_name: String(number),
    });
    const referral = await trpc.referrals.create.mutate({
      affiliate_id: affiliate.id,
      email: `customer${number}@example.com`,
    });
    await trpc.commissions.create.mutate({
      referral_id: referral.id,
      revenue_amount: 1_000_000,
      commission_amount: Number(amount),
      currency,
      referral_date: LONG_AGO,
    });
    payouts.push({ id: affiliate.id, affiliate_name, payout_email, amount, currency });
  }
  const staff = await service.staff(organization_id);
  const { id } = await staff.trpc.dashboard.payout_runs.start.mutate({ method });
  await workPayoutRuns(service.database, new AbortController().signal);
  for (const payout of payouts) {
    const [row] = await service.database<{ id: string }[]>`
      select id from payouts where run_id = ${id} and affiliate_id = ${payout.id}`;
    payout.id = row?.id ?? "";
  }
  return { program, staff, run_id: id, payouts };
}

/** Requests a file of a run: `format=csv`. */
export async function download(
  { staff, run_id }: Pick<PaidOut, "staff" | "run_id">,
  query: string,
): Promise<{ status: number; headers: Headers; text: string }> {
  const response = await fetch(`${staff.url}/dashboard/payout-runs/${run_id}/export?${query}`, {
    headers: staff.headers,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Uploads a result file of a run. */
export async function upload(
  { staff, run_id }: Pick<PaidOut, "staff" | "run_id">,
  query: string,
  file: string | ReadableStream | Uint8Array,
  headers: Record<string, string> = {},
  // biome-ignore lint/suspicious/noExplicitAny: other tests validate the bodies
): Promise<{ status: number; headers: Headers; body: any }> {
  const response = await fetch(`${staff.url}/dashboard/payout-runs/${run_id}/results?${query}`, {
    method: "POST",
    headers: { ...staff.headers, "content-type": "text/csv", ...headers },
    body: file,
    duplex: "half",
  } as RequestInit);
  return { status: response.status, headers: response.headers, body: await response.json() };
}
