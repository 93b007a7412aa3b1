import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useSession } from "../session/session.tsx";
import { texts } from "./ban-texts.ts";
import { owedOf } from "./owed.ts";
import { useReview } from "./use-review.ts";

const BanDialog = lazyPart(() => import("./ban-dialog.tsx"), "BanDialog");

/** Bans affiliates, after asking for the reason. */
export function BanButton({
  ids,
  name,
}: {
  ids: readonly string[];
  /** Of the only affiliate; null: several. */
  name: string | null;
}) {
  const { ban, busy } = useReview();
  const session = useSession();
  const [is_asking, setAsking] = useState(false);
  const [first] = ids;
  const is_one = ids.length === 1;
  const balances = useQuery({
    queryKey: [session.organization.id, "affiliates", "owed", first],
    queryFn: ({ signal }) =>
      session.api.dashboard.balances.list.query({ affiliate_id: first ?? "" }, { signal }),
    enabled: is_asking && is_one,
  });
  return (
    <>
      <Button look="danger" busy={busy} onClick={() => setAsking(true)}>
        {texts.start}
      </Button>
      <Suspense>
        {is_asking && !(is_one && balances.isPending) && (
          <BanDialog
            name={name}
            count={ids.length}
            owed={balances.data === undefined ? null : owedOf(balances.data)}
            onClose={() => setAsking(false)}
            onBan={(reason, due) => {
              setAsking(false);
              ban(ids, { reason, due });
            }}
          />
        )}
      </Suspense>
    </>
  );
}
