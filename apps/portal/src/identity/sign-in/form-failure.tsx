import type { Failure } from "@findersfee/ui/requests/failure";
import { useCountdown } from "@findersfee/ui/requests/use-countdown";
import { useLanguage } from "../../language/language.tsx";
import { failureText } from "../../requests/failure-text.ts";

/** Why a form was refused, above its button. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  const spoken = useLanguage();
  const left = useCountdown(failure?.retry_after_seconds ?? null);
  if (failure === null) return null;
  const message = failureText(failure, spoken);
  return (
    <p role="alert" className="rounded-control bg-bad-tint px-3 py-2 text-table text-bad">
      {message} {left !== null && spoken.texts.failures.again_in(left)}
    </p>
  );
}
