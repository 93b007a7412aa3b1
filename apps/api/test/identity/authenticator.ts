import { generateKeyPairSync, hash, type KeyObject, randomBytes, sign } from "node:crypto";

/*
 * An authenticator in software, by WebAuthn Level 3: it makes one passkey, and signs with it. It trusts its
 * input, so tests can make wrong answers.
 */

/** Flags of authenticator data (WebAuthn, 6.1). */
const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

export interface Answering {
  challenge: string;
  origin: string;
  rp_id: string;
  /** Whether the person unlocked the authenticator. */
  verified?: boolean;
  /** The number of signatures so far; it must grow. */
  counter?: number;
}

export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #private_key: KeyObject;
  readonly #cose_key: Buffer;
  #user_handle = "";

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    this.#private_key = privateKey;
    const { x = "", y = "" } = publicKey.export({ format: "jwk" });
    // RFC 9053, 7.1.1: key type EC2, ES256, P-256, and both coordinates.
    this.#cose_key = map([
      [integer(1), integer(2)],
      [integer(3), integer(-7)],
      [integer(-1), integer(1)],
      [integer(-2), bytes(Buffer.from(x, "base64url"))],
      [integer(-3), bytes(Buffer.from(y, "base64url"))],
    ]);
  }

  /** The answer of `navigator.credentials.create`. */
  register(user_handle: string, answering: Answering) {
    this.#user_handle = user_handle;
    const data = Buffer.concat([
      authenticatorData(answering, HAS_CREDENTIAL),
      Buffer.alloc(16),
      Buffer.from([0, this.#id.length]),
      this.#id,
      this.#cose_key,
    ]);
    const attestation = map([
      [text("fmt"), text("none")],
      [text("attStmt"), map([])],
      [text("authData"), bytes(data)],
    ]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: clientData("webauthn.create", answering).toString("base64url"),
        attestationObject: attestation.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The answer of `navigator.credentials.get`. */
  signIn(answering: Answering) {
    const client_data = clientData("webauthn.get", answering);
    const data = authenticatorData(answering, 0);
    const signed = Buffer.concat([data, hash("sha256", client_data, "buffer")]);
    return {
      ...this.#credential(),
      response: {
        clientDataJSON: client_data.toString("base64url"),
        authenticatorData: data.toString("base64url"),
        signature: sign("sha256", signed, this.#private_key).toString("base64url"),
        userHandle: this.#user_handle,
      },
    };
  }

  #credential() {
    const id = this.#id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const, clientExtensionResults: {} };
  }
}

function clientData(type: string, { challenge, origin }: Answering): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

function authenticatorData({ rp_id, verified = true, counter = 0 }: Answering, more: number): Buffer {
  const head = Buffer.alloc(5);
  head[0] = USER_PRESENT | (verified ? USER_VERIFIED : 0) | more;
  head.writeUInt32BE(counter, 1);
  return Buffer.concat([hash("sha256", rp_id, "buffer"), head]);
}

/* CBOR (RFC 8949): the first three bits are the type. */

function head(type: number, value: number): Buffer {
  if (value < 24) return Buffer.from([(type << 5) | value]);
  if (value < 256) return Buffer.from([(type << 5) | 24, value]);
  return Buffer.from([(type << 5) | 25, value >> 8, value & 0xff]);
}

function integer(value: number): Buffer {
  return value >= 0 ? head(0, value) : head(1, -1 - value);
}

function bytes(value: Buffer): Buffer {
  return Buffer.concat([head(2, value.length), value]);
}

function text(value: string): Buffer {
  return Buffer.concat([head(3, value.length), Buffer.from(value)]);
}

function map(entries: [Buffer, Buffer][]): Buffer {
  return Buffer.concat([head(5, entries.length), ...entries.flat()]);
}
