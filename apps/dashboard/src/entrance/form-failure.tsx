import type { Failure } from "../requests/failure.ts";
import { texts } from "./texts.ts";

/** Why a form was refused, above its button. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (failure === null) return null;
  const { message, retry_after_seconds } = failure;
  return (
    <p role="alert" className="rounded-control bg-bad-tint px-3 py-2 text-table text-bad">
      {message} {retry_after_seconds !== null && texts.wait(retry_after_seconds)}
    </p>
  );
}
