import { NameServer } from "@findersfee/domain/testing/identity/address-server";
import { readCertificate } from "@findersfee/domain/testing/identity/certificates";
import type { ProxyConfig } from "../../src/webhooks/proxy.ts";
import type { SenderOptions } from "../../src/webhooks/send.ts";
import { ProxyServer } from "./proxy-server.ts";
import { afterTest, answer, sender } from "./sending.ts";

export const ca = readCertificate("ca.pem");
export const KEY = readCertificate("server.key");
export const VALID = { key: KEY, cert: readCertificate("valid.pem") };
export const PUBLIC = "93.184.216.34";
export const OK = answer("200 OK", "ok");
export const DELIVERED = { delivered: true, status: 200, response: "ok", error_code: null };
/** The parts of an outcome that every failure of a proxy has. */
export const FAILED = {
  delivered: false,
  status: null,
  response: "",
  gone: false,
  retry_after_seconds: null,
};

export async function proxyServer(tls: { key: string; cert: string } | null = null): Promise<ProxyServer> {
  const started = await ProxyServer.start(tls);
  afterTest(() => started.close());
  return started;
}

/** A sender that delivers through a proxy. */
export function through(
  { origin }: { origin: string },
  changes: Partial<ProxyConfig> = {},
  options: Partial<SenderOptions> = {},
) {
  return sender({ proxy: { origin, authorization: null, resolves_names: false, ...changes }, ...options });
}

export async function names(answers: Parameters<typeof NameServer.start>[0]): Promise<string[]> {
  const started = await NameServer.start(answers);
  afterTest(() => started.close());
  return [started.address];
}

/** A proxy that answers every CONNECT with the same bytes. */
export async function saying(text: string): Promise<ProxyServer> {
  const proxy = await proxyServer();
  proxy.refusal = () => (socket) => socket.end(text);
  return proxy;
}
