import { readFileSync } from "node:fs";

type Name = "ca.pem" | "expired.pem" | "self-signed.pem" | "server.key" | "valid.pem" | "wrong-host.pem";

/**
 * Reads a certificate, or the key that they are for, as PEM. They were made once, and are valid (but for the expired one) from 2000 to
 * 2126, for `localhost`. The key of their authority, `ca.pem`, was thrown away.
 */
export function readCertificate(name: Name): string {
  return readFileSync(new URL(`certificates/${name}`, import.meta.url), "utf8");
}
