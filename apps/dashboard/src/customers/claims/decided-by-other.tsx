import { Notice } from "@findersfee/ui/components/notice";
import { deciderOf } from "./decided.tsx";
import type { ClaimDetail } from "./queries.ts";
import { texts } from "./texts.ts";

/** Somebody else was faster. */
export function DecidedByOther({ claim }: { claim: ClaimDetail["claim"] }) {
  if (claim.state === "open") return null;
  return (
    <Notice tone="warn" title={texts.decided_meanwhile(deciderOf(claim), claim.state)} alert>
      {texts.decided_meanwhile_hint}
    </Notice>
  );
}
