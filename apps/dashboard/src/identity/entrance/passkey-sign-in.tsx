import { Button } from "@findersfee/ui/components/button";
import { type Failure, failureOf, RequestFailed } from "@findersfee/ui/requests/failure";
import { useEffect, useRef, useState } from "react";
import { FormFailure } from "./form-failure.tsx";
import { signInWithPasskey } from "./passkeys.ts";
import { texts } from "./texts.ts";

/** The service accepts an answer for five minutes. */
const OFFER_MILLISECONDS = 4 * 60_000;

/** Offers passkeys in the field for the email while the page is open, if the browser can; returns the end of it. */
function offerPasskeys(onDone: () => void): () => void {
  let running = new AbortController();
  const offer = () => {
    running.abort();
    running = new AbortController();
    // biome-ignore lint/plugin/swallowed-failure: the button says why a passkey does not work; nobody asked here
    signInWithPasskey({ signal: running.signal, mediation: "conditional" }).then(onDone, () => {});
  };
  const timer = setInterval(offer, OFFER_MILLISECONDS);
  offer();
  return () => {
    clearInterval(timer);
    running.abort();
  };
}

/** Signs in with a passkey, by a button or in the field for the email. */
export function PasskeySignIn({ onDone }: { onDone: () => void }) {
  const [state, setState] = useState<{ is_busy: boolean; message: string | null; failure: Failure | null }>({
    is_busy: false,
    message: null,
    failure: null,
  });
  const end_offer = useRef<() => void>(() => {});
  const done = useRef(onDone);
  useEffect(() => {
    done.current = onDone;
  });
  useEffect(() => {
    let is_open = true;
    void PublicKeyCredential.isConditionalMediationAvailable?.().then((is_available) => {
      if (is_available && is_open) end_offer.current = offerPasskeys(() => done.current());
    });
    return () => {
      is_open = false;
      end_offer.current();
    };
  }, []);
  const use = async () => {
    // A browser asks for one credential at a time.
    end_offer.current();
    setState({ is_busy: true, message: null, failure: null });
    try {
      await signInWithPasskey({ signal: new AbortController().signal, mediation: "optional" });
      onDone();
    } catch (error) {
      const is_refused = error instanceof RequestFailed;
      setState({
        is_busy: false,
        message: is_refused ? null : texts.passkey_unused,
        failure: is_refused ? failureOf(error) : null,
      });
    }
  };
  return (
    <div className="grid gap-2">
      <Button busy={state.is_busy} onClick={() => void use()} className="w-full">
        {texts.use_passkey}
      </Button>
      {state.message !== null && (
        <p role="alert" className="text-table text-muted">
          {state.message}
        </p>
      )}
      <FormFailure failure={state.failure} />
    </div>
  );
}
