import { createHmac } from "node:crypto";

const [FIRST, SECOND, STRANGE] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte));

/** The receivers' secrets. */
export const SECRETS = [FIRST, SECOND].map((key) => `whsec_${key?.toString("base64")}`);

/** A delivery as it arrives. */
export interface Delivery {
  id: string;
  timestamp: string;
  body: string;
  signature: string;
}

type Sign = (key: Buffer | undefined) => string;

/** Creates deliveries signed now: a verifier with the secrets must accept the genuine ones and no others. */
export function makeDeliveries(): { genuine: Record<string, Delivery>; forged: Record<string, Delivery> } {
  const now = Math.floor(Date.now() / 1000);
  const ours = (sign: Sign) => sign(FIRST);
  const at = (timestamp: string) => deliver(timestamp, ours);
  const right = deliver(`${now}`, ours);
  const { body } = right;
  return {
    genuine: {
      "signed with the first secret": right,
      "signed with the second secret": deliver(`${now}`, (sign) => sign(SECOND)),
      "signed with both, as in a rotation": deliver(`${now}`, (sign) => `${sign(SECOND)} ${sign(FIRST)}`),
      "signed by a stranger and by us": deliver(`${now}`, (sign) => `${sign(STRANGE)} ${sign(FIRST)}`),
      "signed by other versions too": deliver(
        `${now}`,
        (sign) => `v2,${"A".repeat(44)} v1a,x ${sign(FIRST)}`,
      ),
      "signed 4 minutes ago": at(`${now - 240}`),
      "signed by a clock 4 minutes ahead": at(`${now + 240}`),
    },
    forged: {
      "signed by a stranger": deliver(`${now}`, (sign) => sign(STRANGE)),
      "of another version only": deliver(`${now}`, (sign) => sign(FIRST).replace("v1,", "v2,")),
      "with a signature cut short": { ...right, signature: right.signature.slice(0, -4) },
      "with nothing in a signature": { ...right, signature: "v1," },
      "with an empty signature": { ...right, signature: "" },
      "with a changed body": { ...right, body: body.replace("Zoë", "Zoe") },
      "with a reserialized body": { ...right, body: JSON.stringify(JSON.parse(body), null, 1) },
      "with another id": { ...right, id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91" },
      "with another time": { ...right, timestamp: `${now - 1}` },
      "signed 6 minutes ago": at(`${now - 360}`),
      "signed by a clock 6 minutes ahead": at(`${now + 360}`),
      "with a time followed by text": at(`${now}abc`),
      "with a time in another notation": at(`${now}.0`),
      "with an endless time": at("9".repeat(400)),
      "without a time": at(""),
    },
  };
}

function deliver(timestamp: string, signature: (sign: Sign) => string): Delivery {
  const id = "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90";
  const body = JSON.stringify({ type: "affiliate.created", data: { id, first_name: "Zoë ✓" } });
  const sign: Sign = (key) => {
    const hash = createHmac("sha256", key ?? "").update(`${id}.${timestamp}.${body}`);
    return `v1,${hash.digest("base64")}`;
  };
  return { id, timestamp, body, signature: signature(sign) };
}
