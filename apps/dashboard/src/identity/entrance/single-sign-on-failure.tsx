import {
  type SingleSignOnFailure as Reason,
  SINGLE_SIGN_ON_FAILURES,
} from "@findersfee/contract/identity/single-sign-on-failures";
import { texts } from "./texts.ts";

function isReason(text: string): text is Reason {
  return Object.hasOwn(SINGLE_SIGN_ON_FAILURES, text);
}

/** Why single sign-on brought the person back: the failure, the right person to ask, and the words for them. */
export function SingleSignOnFailure({ reason, request_id }: { reason: string; request_id: string }) {
  return (
    <div role="alert" className="grid gap-1 rounded-control bg-bad-tint px-3 py-2 text-table text-bad">
      <p>{isReason(reason) ? SINGLE_SIGN_ON_FAILURES[reason] : SINGLE_SIGN_ON_FAILURES.invalid_answer}</p>
      {/^req-[a-z0-9-]{1,40}$/.test(request_id) && <p>{texts.request(request_id)}</p>}
    </div>
  );
}
