import { Button } from "@findersfee/ui/components/button";
import { failureOf } from "@findersfee/ui/requests/failure";
import { post } from "@findersfee/ui/requests/post";
import { useState } from "react";
import { FormFailure } from "./form-failure.tsx";
import { texts } from "./texts.ts";

/** Has a link mailed that makes a browser known to the account, once strangers have used up their guesses. */
export function DeviceLink({ email }: { email: string }) {
  const [busy, setBusy] = useState(false);
  const [is_sent, setSent] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async () => {
    setBusy(true);
    setError(null);
    try {
      await post("/auth/device/mail", { email });
      setSent(true);
    } catch (failed) {
      setError(failed);
    }
    setBusy(false);
  };
  if (is_sent) return <p role="status">{texts.device_sent(email)}</p>;
  return (
    <>
      <FormFailure failure={error === null ? null : failureOf(error)} />
      <Button busy={busy} onClick={() => void send()} className="w-full">
        {texts.device_send}
      </Button>
    </>
  );
}
