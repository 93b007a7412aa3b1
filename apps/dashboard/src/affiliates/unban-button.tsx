import { Button } from "@findersfee/ui/components/button";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense, useState } from "react";
import { texts } from "./ban-texts.ts";
import { useReview } from "./use-review.ts";

const UnbanDialog = lazyPart(() => import("./unban-dialog.tsx"), "UnbanDialog");

export interface UnbanButtonProps {
  ids: readonly string[];
  label: string;
  /** The only affiliate; null: several. */
  name: string | null;
  /** The amounts that the ban left out of payout runs, in words, or null for none; undefined: not known. */
  held?: { owed: string | null } | null;
}

/**
 * Ends bans. If they left affiliates out of payout runs, it asks whether to pay the amounts that are owed.
 */
export function UnbanButton({ ids, label, name, held }: UnbanButtonProps) {
  const { unban, busy } = useReview();
  const [is_asking, setAsking] = useState(false);
  const has_hold = held !== null;
  return (
    <>
      <Button busy={busy} onClick={() => (has_hold ? setAsking(true) : unban(ids, false))}>
        {has_hold ? `${label}…` : label}
      </Button>
      <Suspense>
        {is_asking && (
          <UnbanDialog
            title={name === null ? texts.unban_title_of_several(ids.length) : texts.unban_title(name)}
            question={questionOf(name, held?.owed ?? null)}
            onClose={() => setAsking(false)}
            onUnban={(release) => {
              setAsking(false);
              unban(ids, release);
            }}
          />
        )}
      </Suspense>
    </>
  );
}

function questionOf(name: string | null, owed: string | null): string {
  if (name === null) return texts.unban_held_of_several;
  return owed === null ? texts.unban_held : texts.unban_held_amounts(owed);
}
