/* Sign-ups signed by an organization's backend, and organizations that accept no others. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { type Staff, staffOf } from "../staff.ts";
import { type ApiResponse, sharedTestService, type TestService } from "../test-service.ts";
import {
  BROWSER,
  click,
  createTrackedProgram,
  post,
  signatureOf,
  type TrackedProgram,
} from "../tracking-program.ts";

const EMAIL = "Customer@example.com";

let service: TestService;
let program: TrackedProgram;
let staff: Staff["staff"];
let secret: string;
let click_id: string;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

beforeEach(async () => {
  program = await createTrackedProgram(service);
  ({ staff } = await staffOf(service, program.organization.organization_id));
  ({ signing_secret: secret } = await staff.settings.rotateSignupSecret.mutate({}));
  click_id = (await click(program)).body.data.click_id;
});

function signUp(
  input: Record<string, unknown> = {},
  headers: Record<string, string> = {},
): Promise<ApiResponse> {
  const body = { key: program.organization.publishable_key, click_id, email: EMAIL, ...input };
  return post(`${service.url}/track/signup`, body, headers);
}

function sign(
  input: { secret?: string; click_id?: string; email?: string; expires_in?: number } = {},
): string {
  return signatureOf({ secret, click_id, email: EMAIL, ...input });
}

async function referrals() {
  return (await program.organization.trpc.referrals.list.query({})).data;
}

/** An unsigned sign-up of the email after a click of another affiliate. */
async function signUpForThief(): Promise<void> {
  const { trpc } = program.organization;
  await trpc.affiliates.create.mutate({ email: "thief@example.org", ref_code: "thief" });
  const agent = { "user-agent": BROWSER.replace("142", "140") };
  const clicked = await click(program, { code: "thief" }, agent);
  expect((await signUp({ click_id: clicked.body.data.click_id })).status).toBe(200);
}

describe("a signed sign-up", () => {
  it("counts like a referral created by API, and replaces one reported by a page", async () => {
    await signUpForThief();
    expect((await signUp({ signature: sign() })).status).toBe(200);
    expect(await referrals()).toMatchObject([{ email: EMAIL, affiliate: { id: program.affiliate.id } }]);
    const again = { affiliate_id: program.affiliate.id, email: EMAIL };
    const refused = await program.organization.rest("POST", "/referrals", again);
    expect(responseError("rest", refused).code).toBe("referral_exists");
  });

  it("ignores the page's customer id", async () => {
    await signUp({ signature: sign(), processor_customer_id: "cus_victim" });
    expect(await referrals()).toMatchObject([{ processor_customer_id: null }]);
  });

  it("changes nothing when repeated", async () => {
    const signature = sign();
    await Promise.all([signUp({ signature }), signUp({ signature }), signUp({ signature })]);
    const before = await referrals();
    expect(before).toHaveLength(1);
    await signUp({ signature });
    expect(await referrals()).toEqual(before);
  });

  it.each([
    ["another email", () => ({ signature: sign({ email: "other@example.com" }) }), /does not match/i],
    ["another case", () => ({ signature: sign({ email: EMAIL.toLowerCase() }) }), /does not match/i],
    ["another click", () => ({ signature: sign({ click_id: program.affiliate.id }) }), /does not match/i],
    ["another secret", () => ({ signature: sign({ secret: `ff_ss_${"0".repeat(43)}` }) }), /does not match/i],
    ["a later expiry", () => ({ signature: sign().replace(/^\d+/, "9999999999") }), /does not match/i],
    ["the past", () => ({ signature: sign({ expires_in: -1 }) }), /expired/i],
    ["nothing", () => ({ signature: "" }), /hex digits/],
    ["something else", () => ({ signature: "v1,aGVsbG8=" }), /hex digits/],
  ])("is rejected with a signature for %s, and creates nothing", async (_name, input, message) => {
    const { code, issues } = responseError("rest", await signUp(input()));
    expect(code).toBe("invalid_request");
    expect(issues).toEqual([{ path: "signature", message: expect.stringMatching(message) }]);
    expect(await referrals()).toEqual([]);
  });

  it("counts with the previous secret for a day after a rotation", async () => {
    const former = sign();
    const { signing_secret } = await staff.settings.rotateSignupSecret.mutate({});
    expect(signing_secret).not.toBe(secret);
    expect((await signUp({ signature: former })).status).toBe(200);
    const email = "second@example.com";
    expect((await signUp({ email, signature: sign({ secret: signing_secret, email }) })).status).toBe(200);
    await service.database`
      update organizations set previous_signup_secret_expires_at = now() - interval '1 second'
      where id = ${program.organization.organization_id}`;
    expect((await signUp({ signature: former })).status).toBe(400);
    expect(await referrals()).toHaveLength(2);
  });

  it("is limited to its organization", async () => {
    const other = await createTrackedProgram(service);
    const answer = await signUp({ key: other.organization.publishable_key, signature: sign() });
    expect(responseError("rest", answer).code).toBe("invalid_request");
  });
});

describe("public_signups", () => {
  it("signed: rejects an unsigned sign-up and counts a signed one", async () => {
    await staff.settings.update.mutate({ public_signups: "signed" });
    expect(responseError("rest", await signUp())).toMatchObject({
      code: "insufficient_scope",
      message: expect.stringContaining("signature"),
    });
    expect(await referrals()).toEqual([]);
    expect((await signUp({ signature: sign() })).status).toBe(200);
    expect(await referrals()).toHaveLength(1);
  });

  it("off: counts clicks but no sign-ups with the publishable key", async () => {
    await staff.settings.update.mutate({ public_signups: "off" });
    for (const input of [{}, { signature: sign() }]) {
      expect(responseError("rest", await signUp(input)).code).toBe("insufficient_scope");
    }
    expect(await referrals()).toEqual([]);
    expect((await click(program)).body.data.click_id).not.toBeNull();
  });

  it("is in the audit log, without the secret", async () => {
    await staff.settings.update.mutate({ public_signups: "off" });
    const { data } = await staff.changes.list.query({ resource: "settings" });
    expect(data).toMatchObject([
      { action: "updated", before: { public_signups: "on" }, after: { public_signups: "off" } },
      { action: "rotated" },
    ]);
    const stored =
      await service.database`select organizations::text, audit_log_entries::text from organizations, audit_log_entries`;
    expect(JSON.stringify(stored)).not.toContain(secret);
  });
});

describe("a backend with a secret key", () => {
  const backend = () => ({ key: program.organization.api_key });

  it("reports sign-ups that count like referrals by API, regardless of the setting for pages", async () => {
    await staff.settings.update.mutate({ public_signups: "off" });
    expect((await signUp({ ...backend(), processor_customer_id: "cus_1" })).status).toBe(200);
    expect(await referrals()).toMatchObject([
      { email: EMAIL, processor_customer_id: "cus_1", affiliate: { id: program.affiliate.id } },
    ]);
  });

  it("replaces a referral reported by a page", async () => {
    await signUpForThief();
    expect((await signUp(backend())).status).toBe(200);
    expect(await referrals()).toMatchObject([{ affiliate: { id: program.affiliate.id } }]);
  });

  it("is rejected from a page", async () => {
    const page = await signUp(backend(), { origin: "https://example.com" });
    expect(responseError("rest", page).code).toBe("insufficient_scope");
    expect(await referrals()).toEqual([]);
  });
});
