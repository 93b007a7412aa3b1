import { post } from "@findersfee/ui/requests/post";

/**
 * Signs in with a passkey. With `conditional`, the browser offers passkeys in the field for the email, and the promise may
 * never settle.
 *
 * @throws DOMException if the person or the browser refused, or `signal` ended it; RequestFailed
 */
export async function signInWithPasskey({
  signal,
  mediation,
}: {
  signal: AbortSignal;
  mediation: "conditional" | "optional";
}): Promise<void> {
  const options = await post<PublicKeyCredentialRequestOptionsJSON>("/auth/sign-in/passkey/options", {});
  signal.throwIfAborted();
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials.get({ publicKey, mediation, signal });
  await post("/auth/sign-in/passkey", { credential });
}
