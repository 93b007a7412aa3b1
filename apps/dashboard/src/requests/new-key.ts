const VERSION_BYTE = 6;
const VARIANT_BYTE = 8;

/** A random UUID (RFC 9562, version 4), also without TLS, where `crypto.randomUUID` does not exist. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const digitsOf = (byte: number, index: number) => {
    const marked =
      index === VERSION_BYTE ? (byte & 0x0f) | 0x40 : index === VARIANT_BYTE ? (byte & 0x3f) | 0x80 : byte;
    return marked.toString(16).padStart(2, "0");
  };
  const digits = Array.from(bytes, digitsOf).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
