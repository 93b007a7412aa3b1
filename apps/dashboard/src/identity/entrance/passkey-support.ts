/** Passkeys belong to a domain name; browsers offer them on https, and on localhost. */
export function canUsePasskeys(): boolean {
  const { hostname } = window.location;
  const is_name = !/^[\d.]+$/.test(hostname) && !hostname.startsWith("[");
  return (
    is_name &&
    window.isSecureContext &&
    typeof window.PublicKeyCredential?.parseRequestOptionsFromJSON === "function"
  );
}
