import { Button } from "@findersfee/ui/components/button";
import { formatMoney } from "@findersfee/ui/formats/money";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useSession } from "../session/session.tsx";
import { texts } from "./ban-texts.ts";
import { nameOf } from "./name.ts";
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

/** Due and held amounts, side by side; null: nothing is owed. */
function owedOf(balances: readonly { currency: string; held: number; due: number }[]): string | null {
  const owed = balances.filter(({ held, due }) => held + due > 0);
  if (owed.length === 0) return null;
  return owed.map(({ currency, held, due }) => formatMoney(held + due, currency)).join(" · ");
}
