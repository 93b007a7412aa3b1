import { lastedFor } from "@findersfee/database/testing/eventually";
import {
  genericHeaders,
  STRIPE_SECRET,
  stripeEvent,
  stripeHeaders,
} from "@findersfee/domain/testing/processors/signed";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { responseError } from "../response-error.ts";
import { makeStaff, type Staff } from "../staff.ts";
import { sharedTestService, type TestService } from "../test-service.ts";

let service: TestService;

beforeAll(async () => {
  service = await sharedTestService();
});

afterAll(() => service.close());

async function connectStripe(organization: Staff, signing_secret = STRIPE_SECRET, livemode = true) {
  return await organization.staff.processors.connect.mutate({ name: "stripe", signing_secret, livemode });
}

async function post(path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string>) {
  const response = await fetch(`${service.url}/processors/${path}`, { method: "POST", headers, body });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function storedMessages({ organization_id }: Staff) {
  return await service.database<{ id: string; state: string; reason: string | null; body: string }[]>`
    select id, state, reason, body from processor_messages
    where organization_id = ${organization_id} order by id`;
}

describe("POST /processors/stripe/{organization_id}", () => {
  it("stores a signed event before responding, and duplicates once", async () => {
    const organization = await makeStaff(service);
    const { path } = await connectStripe(organization);
    expect(path).toBe(`/processors/stripe/${organization.organization_id}`);
    const body = stripeEvent("evt_1", "invoice.paid", { object: "invoice", note: "naïve – ✓" });
    for (let time = 0; time < 3; time++) {
      const answer = await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body));
      expect(answer).toMatchObject({ status: 200, body: { success: true, data: { id: "evt_1" } } });
    }
    expect(await storedMessages(organization)).toEqual([
      { id: "evt_1", state: "received", reason: null, body },
    ]);
    const { data } = await organization.staff.processor_messages.list.query({ state: "received" });
    expect(data).toMatchObject([{ id: "evt_1", type: "invoice.paid", came_by: "webhook", attempts: 0 }]);
    const message = await organization.staff.processor_messages.body.query({
      processor: "stripe",
      id: "evt_1",
    });
    expect(message.body).toBe(body);
  });

  it("shows when a message was refused last, and when one arrived", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const shown = async () => (await organization.staff.processors.list.query())[0];
    const body = stripeEvent("evt_1", "invoice.paid", {});
    const path = `stripe/${organization.organization_id}`;
    expect(await shown()).toMatchObject({ refused_at: null, last_message_at: null });
    const other = stripeHeaders(body, { secret: "whsec_another1234567890abcdef1234567890" });
    expect((await post(path, body, other)).status).toBe(400);
    const refused = await shown();
    expect(refused).toMatchObject({ refused_reason: expect.stringContaining("does not match") });
    expect((await post(path, body, {})).status).toBe(400);
    expect(await shown()).toEqual(refused);
    await post(path, body, stripeHeaders(body));
    expect(await shown()).toMatchObject({ last_message_type: "invoice.paid" });
  });

  it("stores each of several concurrent events once", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const bodies = Array.from({ length: 200 }, (_, number) =>
      stripeEvent(`evt_${number % 100}`, "invoice.paid", { object: "invoice" }),
    );
    const answers = await Promise.all(
      bodies.map((body) => post(`stripe/${organization.organization_id}`, body, stripeHeaders(body))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await storedMessages(organization)).toHaveLength(100);
  });

  it("accepts signatures of both secrets during a rotation", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const other = "whsec_another0another0another0another0";
    await organization.staff.processors.rotate.mutate({ name: "stripe", signing_secret: other });
    const sign = async (id: string, secret: string) => {
      const body = stripeEvent(id, "invoice.paid", {});
      return (await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body, { secret })))
        .status;
    };
    expect(await sign("evt_old", STRIPE_SECRET)).toBe(200);
    expect(await sign("evt_new", other)).toBe(200);
    await service.database`
      update processors set previous_secret_expires_at = now() - interval '1 second'
      where organization_id = ${organization.organization_id}`;
    await expect.poll(() => sign("evt_late", STRIPE_SECRET)).toBe(400);
    expect(await sign("evt_new_too", other)).toBe(200);
  });

  it("rejects signatures with another secret or an old timestamp", async () => {
    const organization = await makeStaff(service);
    const theirs = await makeStaff(service);
    await connectStripe(organization);
    await connectStripe(theirs, "whsec_theirs0theirs0theirs0theirs0their");
    const body = stripeEvent("evt_1", "invoice.paid", {});
    const stale = new Date(Date.now() - 301_000);
    const cases: [string, Record<string, string>, RegExp][] = [
      [body, {}, /needs Stripe-Signature/],
      [body, { "stripe-signature": "nonsense" }, /does not match/],
      [body, { "stripe-signature": "t=1,v1=00" }, /does not match/],
      [`${body} `, stripeHeaders(body), /exact bytes/],
      [body, stripeHeaders(body, { secret: "whsec_theirs0theirs0theirs0theirs0their" }), /does not match/],
      [body, stripeHeaders(body, { at: stale }), /more than 5 minutes/],
    ];
    for (const [sent, headers, message] of cases) {
      const answer = await post(`stripe/${organization.organization_id}`, sent, headers);
      const error = responseError("rest", answer);
      expect(error.code).toBe("invalid_request");
      expect(error.message).toMatch(message);
    }
    expect(await storedMessages(organization)).toEqual([]);
    expect(await storedMessages(theirs)).toEqual([]);
  });

  it("rejects signed bodies that are not events", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const bodies = [
      "",
      "[]",
      "null",
      "{",
      "{}",
      '{"id":5}',
      '{"id":"evt 1"}',
      '{"id":"evt_\\u0000"}',
      `{"id":"${"x".repeat(256)}"}`,
    ];
    for (const body of bodies) {
      const answer = await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body));
      expect(responseError("rest", answer).code).toBe("invalid_request");
    }
    const bytes = new Uint8Array([0x7b, 0xff, 0x7d]);
    const answer = await post(`stripe/${organization.organization_id}`, bytes, stripeHeaders("{}"));
    expect(responseError("rest", answer).message).toMatch(/UTF-8/);
    expect(await storedMessages(organization)).toEqual([]);
  });

  it("stores events with missing or odd fields for processing", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const odd = [
      { id: "evt_a" },
      { id: "evt_b", type: null, created: "2026-11-20T09:30:00Z", livemode: null },
      { id: "evt_c", type: "invoice.paid", created: -1, data: null },
      { id: "evt_d", type: "\u0000", created: 1e300, livemode: "true" },
      { id: "evt_e", type: "not.known", data: { object: { text: "\u0000 \ud800" } } },
    ];
    for (const event of odd) {
      const body = JSON.stringify(event);
      const answer = await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body));
      expect(answer.status).toBe(200);
    }
    expect((await storedMessages(organization)).map(({ id, state }) => [id, state])).toEqual(
      odd.map(({ id }) => [id, "received"]),
    );
  });

  it.each([
    [true, /test mode/],
    [false, /live mode/],
  ])("skips events of the other mode (livemode %s)", async (livemode, reason) => {
    const organization = await makeStaff(service);
    await connectStripe(organization, STRIPE_SECRET, livemode);
    const body = stripeEvent("evt_1", "invoice.paid", {}, { livemode: !livemode });
    expect((await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body))).status).toBe(
      200,
    );
    const [stored] = await storedMessages(organization);
    expect(stored).toMatchObject({ state: "skipped", reason: expect.stringMatching(reason) });
  });

  it("accepts at most 1 MiB", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const sized = (size: number) => {
      const empty = stripeEvent("evt_large", "invoice.paid", { note: "" });
      return stripeEvent("evt_large", "invoice.paid", { note: "x".repeat(size - empty.length) });
    };
    const most = sized(1024 * 1024);
    expect((await post(`stripe/${organization.organization_id}`, most, stripeHeaders(most))).status).toBe(
      200,
    );
    const more = sized(1024 * 1024 + 1);
    const answer = await post(`stripe/${organization.organization_id}`, more, stripeHeaders(more));
    expect(responseError("rest", answer)).toMatchObject({
      code: "payload_too_large",
      message: "The body is larger than 1 MiB.",
    });
  });

  it("treats an unconnected organization like an unknown one", async () => {
    const organization = await makeStaff(service);
    const body = stripeEvent("evt_1", "invoice.paid", {});
    const messages = [];
    for (const id of [
      organization.organization_id,
      "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
      "nonsense",
      "%00",
    ]) {
      const error = responseError("rest", await post(`stripe/${id}`, body, stripeHeaders(body)));
      expect(error.code).toBe("not_found");
      messages.push(error.message);
    }
    expect(new Set(messages).size).toBe(1);
  });

  it("rejects events within a second after disconnecting", async () => {
    const organization = await makeStaff(service);
    await connectStripe(organization);
    const body = stripeEvent("evt_1", "invoice.paid", {});
    expect((await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body))).status).toBe(
      200,
    );
    await organization.staff.processors.disconnect.mutate({ name: "stripe" });
    const expectMissing = async () => {
      const answer = await post(`stripe/${organization.organization_id}`, body, stripeHeaders(body));
      expect(answer.status).toBe(404);
    };
    expect(await lastedFor(expectMissing)).toBeLessThan(1_000);
  });

  it("has no other methods and requires no key", async () => {
    const response = await fetch(`${service.url}/processors/stripe/0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90`);
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST");
  });
});

describe("POST /processors/generic/{organization_id}", () => {
  async function connectGeneric() {
    const organization = await makeStaff(service);
    const { signing_secret } = await organization.staff.processors.connect.mutate({ name: "generic" });
    return { organization, secret: signing_secret };
  }
  const body = JSON.stringify({ type: "payment", occurred_at: "2026-11-20T09:30:00.000Z", data: {} });

  it("accepts messages signed like the service's own webhooks", async () => {
    const { organization, secret } = await connectGeneric();
    expect(secret).toMatch(/^whsec_/);
    for (let time = 0; time < 2; time++) {
      const headers = genericHeaders(body, { id: "msg_1", secret });
      expect((await post(`generic/${organization.organization_id}`, body, headers)).body).toEqual({
        success: true,
        data: { id: "msg_1" },
      });
    }
    expect(await storedMessages(organization)).toMatchObject([{ id: "msg_1", state: "received", body }]);
  });

  it("accepts one valid signature of several, and the previous secret's", async () => {
    const { organization, secret } = await connectGeneric();
    const rotated = await organization.staff.processors.rotate.mutate({ name: "generic" });
    expect(rotated.signing_secret).not.toBe(secret);
    const headers = genericHeaders(body, { id: "msg_1", secret });
    const good = headers["webhook-signature"] ?? "";
    const many = { ...headers, "webhook-signature": `v2,abc v1,${"A".repeat(44)} ${good}` };
    expect((await post(`generic/${organization.organization_id}`, body, many)).status).toBe(200);
  });

  it("rejects invalid signatures, stale or odd timestamps, and ids with dots", async () => {
    const { organization, secret } = await connectGeneric();
    const good = genericHeaders(body, { id: "msg_1", secret });
    const other = genericHeaders(body, { id: "msg_1", secret: `whsec_${"A".repeat(43)}=` });
    const cases: [Record<string, string>, RegExp][] = [
      [{}, /not signed/],
      [{ ...good, "webhook-timestamp": "123abc" }, /not signed/],
      [{ ...good, "webhook-id": "msg_2" }, /does not match/],
      [other, /does not match/],
      [{ ...good, "webhook-signature": (good["webhook-signature"] ?? "").slice(3) }, /does not match/],
      [genericHeaders(body, { id: "msg_1", secret, at: new Date(Date.now() - 302_000) }), /5 minutes/],
      [genericHeaders(body, { id: "msg_1", secret, at: new Date(Date.now() + 360_000) }), /5 minutes/],
      [genericHeaders(body, { id: "msg.1", secret }), /dots/],
    ];
    for (const [headers, message] of cases) {
      const error = responseError(
        "rest",
        await post(`generic/${organization.organization_id}`, body, headers),
      );
      expect(error.code).toBe("invalid_request");
      expect(error.message).toMatch(message);
    }
    expect(await storedMessages(organization)).toEqual([]);
  });
});
