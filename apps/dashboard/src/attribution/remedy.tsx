import { Button } from "@findersfee/ui/components/button";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { texts as ban_texts } from "../affiliates/ban-texts.ts";
import { nameOf } from "../affiliates/name.ts";
import { owedOf } from "../affiliates/owed.ts";
import { affiliateQuery } from "../affiliates/queries.ts";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useMay, useSession } from "../session/session.tsx";
import type { Explained } from "./queries.ts";
import { texts } from "./texts.ts";

const UnbanDialog = lazy(async () => ({
  default: (await import("../affiliates/unban-dialog.tsx")).UnbanDialog,
}));

type Affiliate = NonNullable<Explained["candidates"][number]["affiliate"]>;

interface FixProps {
  affiliate: Affiliate;
  onFixed: () => void;
}

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
  if (outcome === "affiliate_banned" && refused.banned)
    return <Unban affiliate={refused} onFixed={onFixed} />;
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

/** If the ban left the affiliate out of payout runs, it asks what becomes of the money that is owed, as elsewhere. */
function Unban({ affiliate, onFixed }: FixProps) {
  const session = useSession();
  const name = nameOf(affiliate);
  const { data, error, refetch } = useQuery(affiliateQuery(session, affiliate.id));
  const [is_asking, setAsking] = useState(false);
  const { mutate, isPending } = useFix(
    (release) => session.api.dashboard.affiliates.unban.mutate({ ids: [affiliate.id], release }),
    { done: texts.unbanned(name), onFixed },
  );
  const owed = data === undefined ? null : owedOf(data.balances);
  const asks = data?.payout_hold?.of_ban === true;
  if (error !== null) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <>
      <FixButton
        label={asks ? `${texts.unban(name)}…` : texts.unban(name)}
        busy={isPending || data === undefined}
        onClick={() => (asks ? setAsking(true) : mutate(false))}
      />
      <Suspense>
        {is_asking && (
          <UnbanDialog
            title={ban_texts.unban_title(name)}
            question={owed === null ? ban_texts.unban_held : ban_texts.unban_held_amounts(owed)}
            onClose={() => setAsking(false)}
            onUnban={(release) => {
              setAsking(false);
              mutate(release);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function FixButton({ label, busy, onClick }: { label: string; busy: boolean; onClick: () => void }) {
  return (
    <Button look="solid" busy={busy} onClick={onClick} className="max-w-65">
      <span className="truncate">{label}</span>
    </Button>
  );
}

function useFix(
  fix: (value: boolean) => Promise<unknown>,
  { done, onFixed }: { done: string; onFixed: () => void },
) {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  return useMutation({
    mutationFn: fix,
    onSuccess: async () => {
      toast({ text: done });
      await client.invalidateQueries({ queryKey: [organization.id] });
      onFixed();
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
}
