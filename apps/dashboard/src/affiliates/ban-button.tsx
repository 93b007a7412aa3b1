import { Button } from "@findersfee/ui/components/button";
import { lazy, Suspense, useState } from "react";
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
  const [is_asking, setAsking] = useState(false);
  return (
    <>
      <Button look="danger" busy={busy} onClick={() => setAsking(true)}>
        {texts.start}
      </Button>
      <Suspense>
        {is_asking && (
          <BanDialog
            names={affiliates.map(nameOf)}
            onClose={() => setAsking(false)}
            onBan={(reason) => {
              setAsking(false);
              ban(
                affiliates.map(({ id }) => id),
                reason,
              );
            }}
          />
        )}
      </Suspense>
    </>
  );
}
