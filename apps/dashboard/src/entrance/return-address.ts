/** The address within the application that follows the sign-in. Others could lead anywhere. */
export function returnAddress(): string {
  const to = new URLSearchParams(window.location.search).get("to") ?? "/";
  return /^\/(?![/\\])/.test(to) ? to : "/";
}
