import type { Failure } from "@findersfee/ui/requests/failure";

/** Why a form was refused, above its button. */
export function FormFailure({ failure }: { failure: Failure | null }) {
  if (failure === null) return null;
  return (
    <p role="alert" className="rounded-control bg-bad-tint px-3 py-2 text-table text-bad">
      {failure.message}
    </p>
  );
}
