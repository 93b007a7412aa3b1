/*
 * Test vectors of signatures and of verification, shared by the tests of the sender, the SDK and the reference verifier. The
 * first two are those that the libraries of Standard Webhooks publish.
 */

/** A message and its signature under one secret. */
export interface KnownAnswer {
  secret: string;
  id: string;
  timestamp: number;
  body: string;
  signature: string;
}

export const PUBLISHED: KnownAnswer = {
  secret: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
  id: "msg_p5jXN8AQM9LWM0D4loKWxJek",
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
};

export const ALSO_PUBLISHED: KnownAnswer = {
  secret: "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD",
  id: "msg_27UH4WbU6Z5A5EzD8u03UvzRbpk",
  timestamp: 1649367553,
  body: '{"email":"test@example.com","username":"test_user"}',
  signature: "v1,tZ1I4/hDygAJgO5TYxiSd6Sd0kDW6hPenDe+bTa3Kkw=",
};

/** Beyond ASCII, and beyond the basic plane. */
const UTF_8: KnownAnswer = {
  secret: "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
  id: "0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90",
  timestamp: 1763631000,
  body: '{"type":"affiliate.created","data":{"id":"0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e91","first_name":"Zoë","last_name":"Ōkubo – 🦊","details":"1 \\"quote\\"\\n\\u0000"}}',
  signature: "v1,QOu7DaTv1+EkFoA/xxcYrngnKZDHDEj0BP+Hi9J4ZIg=",
};

/** White space and a number that are gone when the body is parsed and written again. */
const SPACED: KnownAnswer = {
  secret: "whsec_/////////////////////////////////////////w8=",
  id: "0199d3a1-6a7e-7c44-9a51-000000000000",
  timestamp: 4102444800,
  body: '{ "type" : "commission.created", "data" : {"commission_amount": 30.10} }\n',
  signature: "v1,jsh36eM8zJ9BgK9v9FltkBYpNIrxacK9jtCZj6ZvLr4=",
};

export const KNOWN_ANSWERS: readonly KnownAnswer[] = [PUBLISHED, ALSO_PUBLISHED, UTF_8, SPACED];

/** A delivery and the expected verdict. */
export interface VerificationVector {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  /** The receiver's clock, Unix time in seconds. */
  now: number;
  /** The code of our SDK's refusal; null: it verifies. */
  refused: string | null;
  /** Set where the reference verifier differs: it accepts requests that our service never sends. */
  reference_accepts?: true;
}

function vector(
  name: string,
  answer: KnownAnswer,
  { headers, ...changes }: Partial<Omit<VerificationVector, "name">>,
): VerificationVector {
  return {
    name,
    secret: answer.secret,
    body: answer.body,
    now: answer.timestamp,
    refused: null,
    ...changes,
    headers: {
      "webhook-id": answer.id,
      "webhook-timestamp": String(answer.timestamp),
      "webhook-signature": answer.signature,
      ...headers,
    },
  };
}

const { signature } = PUBLISHED;
const other = ALSO_PUBLISHED.signature;

const ACCEPTED: readonly VerificationVector[] = [
  ...KNOWN_ANSWERS.map((answer, number) => vector(`known answer ${number + 1}`, answer, {})),
  vector("a secret without its prefix", PUBLISHED, { secret: PUBLISHED.secret.slice("whsec_".length) }),
  vector("300 s old", PUBLISHED, { now: PUBLISHED.timestamp + 300 }),
  vector("300 s ahead", PUBLISHED, { now: PUBLISHED.timestamp - 300 }),
  vector("the second of two signatures", PUBLISHED, { headers: signed(`${other} ${signature}`) }),
  vector("the first of two signatures", PUBLISHED, { headers: signed(`${signature} ${other}`) }),
  vector("behind unknown versions", PUBLISHED, {
    headers: signed(`v1a,${"A".repeat(86)}== v2,? ${signature}`),
  }),
];

const REFUSED: readonly VerificationVector[] = [
  vector("301 s old", PUBLISHED, { now: PUBLISHED.timestamp + 301, refused: "timestamp_too_old" }),
  vector("301 s ahead", PUBLISHED, { now: PUBLISHED.timestamp - 301, refused: "timestamp_too_new" }),
  vector("another secret", PUBLISHED, { secret: ALSO_PUBLISHED.secret, refused: "no_match" }),
  vector("another message's signature", PUBLISHED, { headers: signed(other), refused: "no_match" }),
  vector("another body", PUBLISHED, { body: '{"test":2432232314}', refused: "no_match" }),
  vector("a body with a line break more", PUBLISHED, { body: `${PUBLISHED.body}\n`, refused: "no_match" }),
  vector("another id", PUBLISHED, { headers: { "webhook-id": "msg_1" }, refused: "no_match" }),
  vector("another timestamp", PUBLISHED, {
    headers: { "webhook-timestamp": String(PUBLISHED.timestamp + 1) },
    refused: "no_match",
  }),
  vector("the right signature under another version", PUBLISHED, {
    headers: signed(signature.replace("v1", "v2")),
    refused: "no_match",
  }),
  vector("a signature without a version", PUBLISHED, {
    headers: signed(signature.slice("v1,".length)),
    refused: "no_match",
  }),
  vector("a signature without padding", PUBLISHED, {
    headers: signed(signature.replace("=", "")),
    refused: "no_match",
  }),
  vector("a signature spelled with other spare bits", PUBLISHED, {
    headers: signed(signature.replace("OE=", "OF=")),
    refused: "no_match",
  }),
  vector("a signature in the alphabet of URLs", PUBLISHED, {
    headers: signed(signature.replaceAll("+", "-").replaceAll("/", "_")),
    refused: "no_match",
  }),
  vector("half a signature", PUBLISHED, { headers: signed(signature.slice(0, 25)), refused: "no_match" }),
  vector("an empty signature", PUBLISHED, { headers: signed("v1,"), refused: "no_match" }),
  ...["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) =>
    vector(`no ${name}`, PUBLISHED, { headers: { [name]: "" }, refused: "missing_header" }),
  ),
  vector("a timestamp that is no number", PUBLISHED, {
    headers: { "webhook-timestamp": "soon" },
    refused: "invalid_timestamp",
  }),
  ...[
    `${PUBLISHED.timestamp}abc`,
    `${PUBLISHED.timestamp} `,
    `${PUBLISHED.timestamp}.0`,
    `0${PUBLISHED.timestamp}`,
    `+${PUBLISHED.timestamp}`,
  ].map((timestamp) =>
    vector(`the timestamp "${timestamp}"`, PUBLISHED, {
      headers: { "webhook-timestamp": timestamp },
      refused: "invalid_timestamp",
      reference_accepts: true,
    }),
  ),
  vector("something behind the signature", PUBLISHED, {
    headers: signed(`${signature},`),
    refused: "no_match",
    reference_accepts: true,
  }),
];

export const VERIFICATION_VECTORS: readonly VerificationVector[] = [...ACCEPTED, ...REFUSED];

function signed(header: string): Record<string, string> {
  return { "webhook-signature": header };
}
