import { mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readDeveloperConfig } from "../../src/config.ts";
import { localService, receiverAddress, serviceAddress } from "../../src/webhooks/listen/addresses.ts";
import { listenSecret, signingSecret } from "../../src/webhooks/listen/secret.ts";
import { sinceInput } from "../../src/webhooks/listen/since.ts";
import { makeStateFolder, stateFolder } from "../../src/webhooks/listen/state-folder.ts";

const SECRET = "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

describe("the service's address", () => {
  it.each([
    ["http://127.0.0.1:3000", "http://127.0.0.1:3000"],
    ["https://example.com/", "https://example.com"],
    ["https://example.com/partners/v1/", "https://example.com/partners"],
    ["HTTP://Localhost:80/trpc", "http://localhost"],
    ["http://localhost:3000/v1/trpc", "http://localhost:3000"],
  ])("%s is %s", (text, address) => {
    expect(serviceAddress("x").parse(text)).toBe(address);
  });

  it.each([
    "",
    "localhost:3000",
    "ftp://example.com",
    "https://a:b@example.com",
    "https://example.com?a",
    "/v1",
  ])("is not %j", (text) =>
    expect(serviceAddress("Help.").safeParse(text).error?.issues[0]?.message).toBe("Help."),
  );
});

describe("the receiver's address", () => {
  it.each(["http://localhost:4242/webhooks?a=b", "https://[::1]/", "http://10.0.0.1:8080"])(
    "may be %s",
    (text) => {
      expect(receiverAddress.parse(text)).toBe(text);
    },
  );

  it.each([
    ["localhost:4242/webhooks", /^Must be an http or https URL, as in /],
    ["4242", /^Must be an http or https URL, as in /],
    ["file:///etc/passwd", /^Must be an http or https URL, as in /],
    ["http://a:b@localhost/", /^Must not contain a user name or password\.$/],
    ["http://localhost:22/", /^Must not use port 22/],
    ["http://local host/", /^Must be /],
  ])("is not %s", (text, message) => {
    expect(receiverAddress.safeParse(text).error?.issues[0]?.message).toMatch(message);
  });
});

describe("a signing secret", () => {
  it.each([`whsec_${SECRET}`, SECRET, `whsec_${Buffer.alloc(32).toString("base64")}`])(
    "may be %s",
    (text) => {
      expect(signingSecret("x").parse(text)).toBe(text);
    },
  );

  it.each([
    ["without its padding", `whsec_${Buffer.alloc(32).toString("base64").replace("=", "")}`],
    ["in base64url", `whsec_${Buffer.alloc(32, 255).toString("base64url")}=`],
    ["with a space", `whsec_${SECRET} `],
    ["of too few bytes", "whsec_MfKQ"],
    ["of too many bytes", `whsec_${Buffer.alloc(65).toString("base64")}`],
    ["of nothing", "whsec_"],
  ])("is none %s", (_, text) => expect(signingSecret("x").safeParse(text).success).toBe(false));

  it("is stable per machine, and differs per key and machine", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => mkdtemp(join(tmpdir(), "findersfee-secret-"))),
    );
    if (first === undefined || second === undefined) throw new Error("no state folder");
    const secrets = await Promise.all([
      listenSecret(first, "a"),
      listenSecret(first, "a"),
      listenSecret(first, "a"),
    ]);
    expect(new Set(secrets).size).toBe(1);
    expect(signingSecret("x").parse(secrets[0])).toMatch(/^whsec_.{44}$/);
    expect(new Set([secrets[0], await listenSecret(first, "b"), await listenSecret(second, "a")]).size).toBe(
      3,
    );
    await Promise.all([first, second].map((folder) => rm(folder, { recursive: true })));
  });
});

describe("--since", () => {
  it("accepts now, an event, a time or an age", () => {
    const id = "0199D3A1-6A7E-7C44-9A51-3F2B8C6D1E90";
    expect(sinceInput.parse("now")).toEqual({ now: true });
    expect(sinceInput.parse(id)).toEqual({ event_id: id.toLowerCase() });
    expect(sinceInput.parse("2026-01-01T01:00:00+01:00")).toEqual({ time: "2026-01-01T00:00:00.000Z" });
    for (const [age, milliseconds] of Object.entries({
      "90s": 90e3,
      "15m": 900e3,
      "2h": 7200e3,
      "1d": 86_400e3,
    })) {
      const since = sinceInput.parse(age);
      const time = "time" in since ? Date.parse(since.time) : 0;
      expect(Math.abs(Date.now() - milliseconds - time)).toBeLessThan(5_000);
    }
    expect(sinceInput.parse("9999999d")).toEqual({ time: "1970-01-01T00:00:00.000Z" });
  });

  it.each([
    ["2999-01-01T00:00:00Z", "Must not be in the future."],
    ...["", "yesterday", "2026-01-01", "2026-01-01T00:00:00", "15", "m", "-1h", "1.5h", "1h30m"].map(
      (text) => [text, expect.stringMatching(/^Must be now, an event's id, an age such as/)],
    ),
  ])("is not %j", (text, message) => {
    expect(sinceInput.safeParse(text).error?.issues.map((issue) => issue.message)).toEqual([message]);
  });
});

describe("the environment", () => {
  it("sets the service's address, independent of a service's own configuration", () => {
    expect(readDeveloperConfig({ PORT: "x", DATABASE_URL: "x", FINDERSFEE_API_KEY: "" })).toMatchObject({
      FINDERSFEE_URL: null,
      FINDERSFEE_API_KEY: null,
      WEBHOOK_SECRET: null,
    });
    expect(() => readDeveloperConfig({ FINDERSFEE_URL: "ftp://x" })).toThrow(
      /^FINDERSFEE_URL: must be the service's http or https address, as in http:/,
    );
    expect(() => readDeveloperConfig({ WEBHOOK_SECRET: "whsec_confidential" })).toThrow(
      /^WEBHOOK_SECRET: must be whsec_ and the base64, with its padding, of 24 to 64 bytes\.$/,
    );
  });

  it.each([
    ["127.0.0.1", "http://127.0.0.1:8080"],
    ["0.0.0.0", "http://127.0.0.1:8080"],
    ["::", "http://[::1]:8080"],
    ["app.internal", "http://app.internal:8080"],
  ])("determines the address of a service listening on %s", (HOST, address) => {
    expect(localService({ HOST, PORT: 8080 })).toBe(address);
  });

  it("determines the state folder", () => {
    expect(stateFolder({ XDG_STATE_HOME: "/x", LOCALAPPDATA: null })).toBe("/x/findersfee");
    for (const XDG_STATE_HOME of [null, "relative"]) {
      const expected = join(homedir(), ".local/state/findersfee");
      expect(stateFolder({ XDG_STATE_HOME, LOCALAPPDATA: null })).toBe(expected);
    }
  });

  it("reports an unusable state folder", async () => {
    await expect(makeStateFolder("/dev/null/x")).rejects.toThrow(
      /^Cannot write to .* \(.+\): set XDG_STATE_HOME/,
    );
  });
});
