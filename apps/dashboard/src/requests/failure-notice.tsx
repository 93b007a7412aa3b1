import { Failure } from "@findersfee/ui/components/notice";
import { useEffect, useState } from "react";
import { failureOf } from "./failure.ts";
import { texts } from "./texts.ts";

/** Above content that could not be loaded; while the service is busy, it counts down to the next attempt. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { message, request_id, retry_after_seconds } = failureOf(error);
  const left = useCountdown(retry_after_seconds);
  const said = left === null ? message : `${message} ${texts.again_in(left)}`;
  return (
    <div className="py-3">
      <Failure message={said} request_id={request_id} onRetry={onRetry} />
    </div>
  );
}

function useCountdown(seconds: number | null): number | null {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (seconds === null) return undefined;
    const timer = setInterval(() => setLeft((now) => (now === null || now <= 1 ? null : now - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
