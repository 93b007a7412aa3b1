import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { staffOf } from "@findersfee/api/testing/staff";
import { startTestService, type TestService } from "@findersfee/api/testing/test-service";
import {
  click,
  createTrackedProgram,
  post,
  type TrackedProgram,
} from "@findersfee/api/testing/tracking-program";
import { signSignup } from "@findersfee/sdk";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { SIGN_SIGNUP } from "./programs.ts";
import { RunningProgram } from "./running-program.ts";
import { whyMissing } from "./tool.ts";

let service: TestService;
let program: TrackedProgram;
let secret: string;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  program = await createTrackedProgram(service);
  const { staff } = await staffOf(service, program.organization.organization_id);
  ({ signing_secret: secret } = await staff.settings.rotateSignupSecret.mutate({}));
  await staff.settings.update.mutate({ public_signups: "signed" });
  folder = await mkdtemp(join(tmpdir(), "findersfee-examples-"));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

/** Reports a sign-up with a signature from `sign`; the service accepts only signed ones. */
async function expectTaken(
  email: string,
  sign: (signup: { click_id: string; email: string }) => Promise<string>,
): Promise<void> {
  const { click_id } = (await click(program)).body.data;
  const signature = await sign({ click_id, email });
  const body = { key: program.organization.publishable_key, click_id, email, signature };
  expect(await post(`${service.url}/track/signup`, body)).toMatchObject({ status: 200 });
  expect((await program.organization.trpc.referrals.list.query({ email })).data).toHaveLength(1);
}

it("signs sign-ups with the SDK", () =>
  expectTaken("sdk@example.com", async (signup) => signSignup({ secret, ...signup })));

describe.for(Object.entries(SIGN_SIGNUP))("%s", ([language, program]) => {
  const why = whyMissing(program.tool);

  it("signs sign-ups", async (context) => {
    context.skip(why !== null, why ?? "");
    await expectTaken(`${language.toLowerCase()}@example.com`, async ({ click_id, email }) => {
      const command = [...(await program.command({ folder })), click_id, email];
      const { code, stdout, stderr } = await new RunningProgram(command, { SIGNUP_SECRET: secret }).outcome();
      expect([code, stderr]).toEqual([0, ""]);
      return stdout.trim();
    });
  });
});
