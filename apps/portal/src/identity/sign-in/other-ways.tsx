import { Button } from "@findersfee/ui/components/button";
import { type Failure, failureOf } from "@findersfee/ui/requests/failure";
import { useEffect, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { FormFailure } from "./form-failure.tsx";
import type { RequestedCode } from "./requested-code.ts";

/** A mail needs some seconds. */
const RESEND_SECONDS = 30;

/** For those who got no mail. */
export function OtherWays({
  requested,
  request,
  other,
  onSent,
  onOther,
}: {
  requested: RequestedCode;
  request: () => Promise<RequestedCode>;
  other: string;
  onSent: (requested: RequestedCode) => void;
  onOther: () => void;
}) {
  const { sign_in } = useTexts();
  const [{ is_sent, failure }, setResent] = useState<{ is_sent: boolean; failure: Failure | null }>({
    is_sent: false,
    failure: null,
  });
  const left = useSecondsUntilResend(requested.sent_at);
  const resend = async () => {
    try {
      const next = await request();
      setResent({ is_sent: true, failure: null });
      onSent(next);
    } catch (error) {
      setResent({ is_sent: false, failure: failureOf(error) });
    }
  };
  return (
    <div className="grid gap-3 text-table text-muted">
      <p role="status">{is_sent ? sign_in.sent_again : sign_in.no_mail}</p>
      <FormFailure failure={failure} />
      <div className="-ml-3 flex flex-wrap gap-x-2">
        <Button look="quiet" disabled={left > 0} onClick={resend}>
          {left === 0 ? sign_in.send_again : sign_in.send_again_in(left)}
        </Button>
        <Button look="quiet" onClick={onOther}>
          {other}
        </Button>
      </div>
    </div>
  );
}

/** Zero once a new code may be requested. */
function useSecondsUntilResend(sent_at: number): number {
  const leftOf = (now: number) => Math.max(0, Math.ceil(RESEND_SECONDS - (now - sent_at) / 1000));
  const [now, setNow] = useState(Date.now);
  const is_over = leftOf(now) === 0;
  useEffect(() => {
    if (is_over) return undefined;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [is_over]);
  return leftOf(now);
}
