import { account } from "../../requests/account.ts";
import { texts } from "./texts.ts";

/** Confirms with a passkey that the person is still there. The browser says only in its own words why it used none. */
export async function confirmByPasskey(): Promise<void> {
  const options = await account.passkeys.confirmation_options.mutate({});
  // The service makes them as the browser reads them; their schema names only the challenge.
  const json = options as object as PublicKeyCredentialRequestOptionsJSON;
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(json);
  const credential = await navigator.credentials.get({ publicKey }).catch((error: unknown) => {
    if (error instanceof DOMException) return null;
    throw error;
  });
  if (!(credential instanceof PublicKeyCredential)) throw new Error(texts.passkey_not_used);
  const { id, rawId, response, clientExtensionResults } = credential.toJSON() as AuthenticationResponseJSON;
  await account.passkeys.confirm.mutate({
    credential: {
      id,
      rawId,
      type: "public-key",
      response,
      clientExtensionResults: { ...clientExtensionResults },
    },
  });
}
