import { Button } from "@findersfee/ui/components/button";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../session/session.tsx";
import { texts } from "./ban-texts.ts";
import { nameOf } from "./name.ts";
import { owedOf } from "./owed.ts";
import { useReview } from "./use-review.ts";

const BanDialog = lazy(async () => ({ default: (await import("./ban-dialog.tsx")).BanDialog }));

/** Bans affiliates, after asking for the reason. */
export function BanButton({
  affiliates,
}: {
  affiliates: readonly (Parameters<typeof nameOf>[0] & { id: string })[];
}) {
  const { ban, busy } = useReview();
  const session = useSession();
  const [is_asking, setAsking] = useState(false);
  const [first] = affiliates;
  const is_one = first !== undefined && affiliates.length === 1;
  const balances = useQuery({
    queryKey: [session.organization.id, "affiliates", "owed", first?.id],
    queryFn: ({ signal }) =>
      session.api.dashboard.balances.list.query({ affiliate_id: first?.id ?? "" }, { signal }),
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
            names={affiliates.map(nameOf)}
            owed={balances.data === undefined ? null : owedOf(balances.data)}
            onClose={() => setAsking(false)}
            onBan={(reason, due) => {
              setAsking(false);
              ban(
                affiliates.map(({ id }) => id),
                { reason, due },
              );
            }}
          />
        )}
      </Suspense>
    </>
  );
}
