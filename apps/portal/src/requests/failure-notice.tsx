import { Failure } from "@findersfee/ui/components/notice";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useCountdown } from "@findersfee/ui/requests/use-countdown";
import { useLanguage } from "../language/language.tsx";
import { failureText } from "./failure-text.ts";

/** In place of content that could not be loaded; while the service is busy, it counts down to the next attempt. */
export function FailureNotice({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const spoken = useLanguage();
  const failure = failureOf(error);
  const left = useCountdown(failure.retry_after_seconds);
  const message = failureText(failure, spoken);
  return (
    <Failure
      message={left === null ? message : `${message} ${spoken.texts.failures.again_in(left)}`}
      request_id={failure.request_id}
      onRetry={onRetry}
    />
  );
}
