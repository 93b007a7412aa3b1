/** Any number of base64 characters, without checking completeness. */
export const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Decodes standard base64 with padding (RFC 4648, section 4); null for anything else. */
export function decodeBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0 || !BASE64.test(text)) return null;
  let decoded: string;
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not base64, which callers report
  try {
    decoded = atob(text);
  } catch {
    return null;
  }
  // Unused bits must be zero, so that each value has only one encoding.
  if (btoa(decoded) !== text) return null;
  const bytes = new Uint8Array(decoded.length);
  for (let index = 0; index < decoded.length; index++) bytes[index] = decoded.charCodeAt(index);
  return bytes;
}
