/** Any number of characters of base64; whether they are complete is another question. */
export const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Standard base64 with padding (RFC 4648, section 4) and nothing else; null for anything else. */
export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return null;
  let decoded: string;
  try {
    decoded = atob(text);
  } catch {
    return null;
  }
  // Bits that stand for nothing must be zero, so that there is one spelling of each value.
  if (btoa(decoded) !== text) return null;
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index++) bytes[index] = decoded.charCodeAt(index);
  return bytes;
}
