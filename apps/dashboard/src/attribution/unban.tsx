import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { texts as ban_texts } from "../affiliates/ban-texts.ts";
import { nameOf } from "../affiliates/name.ts";
import { owedOf } from "../affiliates/owed.ts";
import { affiliateQuery } from "../affiliates/queries.ts";
import { UnbanDialog } from "../affiliates/unban-dialog.tsx";
import { FailureNotice } from "../requests/failure-notice.tsx";
import { useSession } from "../session/session.tsx";
import { FixButton, type FixProps, useFix } from "./fix.tsx";
import { texts } from "./texts.ts";

/**
 * If the ban left the affiliate out of payout runs, it asks whether to pay the amounts that are owed, as
 * elsewhere.
 */
export function Unban({ affiliate, onFixed }: FixProps) {
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
    </>
  );
}
