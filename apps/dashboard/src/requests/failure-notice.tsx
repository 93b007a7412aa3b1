import { Failure } from "@findersfee/ui/components/notice";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useCountdown } from "@findersfee/ui/requests/use-countdown";
import { texts } from "./texts.ts";

/** Above content that could not be loaded; while the service is busy, it counts down to the next attempt. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const { message, request_id, retry_after_seconds } = failureOf(error);
  const left = useCountdown(retry_after_seconds);
  const text = left === null ? message : `${message} ${texts.again_in(left)}`;
  return (
    <div className="py-3">
      <Failure message={text} request_id={request_id} onRetry={onRetry} />
    </div>
  );
}
