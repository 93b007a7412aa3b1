import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { nameOf } from "../affiliates/name.ts";
import { useMay, useSession } from "../session/session.tsx";
import { FixButton, type FixProps, useFix } from "./fix.tsx";
import type { Explained } from "./queries.ts";
import { texts } from "./texts.ts";

const Unban = lazyPart(() => import("./unban.tsx"), "Unban");

/** The action that fixes an outcome: approve or unban its affiliate. The payment is decided again afterwards. */
export function Remedy({ explained, onFixed }: { explained: Explained; onFixed: () => void }) {
  const may_fix = useMay("admin");
  const { outcome } = explained.decision;
  const { affiliate, candidates } = explained;
  const refused = affiliate ?? candidates.find(({ result }) => result === outcome)?.affiliate ?? null;
  if (!may_fix || refused === null) return null;
  if (outcome === "affiliate_unapproved" && !refused.approved) {
    return <Approve affiliate={refused} onFixed={onFixed} />;
  }
  if (outcome === "affiliate_banned" && refused.banned) {
    return (
      <Suspense>
        <Unban affiliate={refused} onFixed={onFixed} />
      </Suspense>
    );
  }
  return null;
}

function Approve({ affiliate, onFixed }: FixProps) {
  const { api } = useSession();
  const name = nameOf(affiliate);
  const { mutate, isPending } = useFix(
    (approved) => api.affiliates.update.mutate({ id: affiliate.id, approved }),
    { done: texts.approved(name), onFixed },
  );
  return <FixButton label={texts.approve(name)} busy={isPending} onClick={() => mutate(true)} />;
}
