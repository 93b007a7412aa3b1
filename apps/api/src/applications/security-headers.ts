/** The content security policy of an application's pages, and the pages that may frame them. */
export function policyFor(frame_origins: readonly string[]) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      fontSrc: ["'self'"],
      imgSrc: ["'self'"],
      connectSrc: ["'self'"],
      baseUri: ["'self'"],
      formAction: ["'self'"],
      frameAncestors: frame_origins.length === 0 ? ["'none'"] : [...frame_origins],
    },
  };
}

/** The headers of all pages of applications; none can be framed. */
export const SECURITY_HEADERS = {
  contentSecurityPolicy: policyFor([]),
  // Only the proxy that terminates TLS knows whether TLS is used, and for which host names.
  strictTransportSecurity: false,
  xFrameOptions: { action: "deny" as const },
  // Requests of the application say where they come from, which the service checks.
  referrerPolicy: { policy: "same-origin" as const },
};
