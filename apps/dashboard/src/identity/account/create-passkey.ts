import { account } from "../../requests/account.ts";

/** Makes a passkey in the browser, and adds it to the account. */
export async function createPasskey(name: string) {
  const options = await account.passkeys.options.mutate({});
  // The service makes them as the browser reads them; their schema names only the challenge.
  const json = options as object as PublicKeyCredentialCreationOptionsJSON;
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(json);
  const credential = await navigator.credentials.create({ publicKey });
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException("no passkey", "NotAllowedError");
  const { id, rawId, response, clientExtensionResults } = credential.toJSON() as RegistrationResponseJSON;
  return await account.passkeys.add.mutate({
    name,
    credential: {
      id,
      rawId,
      type: "public-key",
      response,
      clientExtensionResults: { ...clientExtensionResults },
    },
  });
}
