import { Button } from "@findersfee/ui/components/button";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { nameOf } from "../affiliates/name.ts";
import { useMay, useSession } from "../session/session.tsx";
import type { Explained } from "./queries.ts";
import { texts } from "./texts.ts";

/** The action that fixes an outcome: approve or unban its affiliate. The payment is decided again afterwards. */
export function Remedy({
  explained: { decision, affiliate, candidates },
  onFixed,
}: {
  explained: Explained;
  onFixed: () => void;
}) {
  const { api, organization } = useSession();
  const may_fix = useMay("admin");
  const client = useQueryClient();
  const toast = useToast();
  const { outcome } = decision;
  const refused = affiliate ?? candidates.find(({ result }) => result === outcome)?.affiliate ?? null;
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string) =>
      api.affiliates.update.mutate({
        id,
        ...(outcome === "affiliate_banned" ? { banned: false } : { approved: true }),
      }),
    onSuccess: async (fixed) => {
      const name = nameOf(fixed);
      toast({ text: outcome === "affiliate_banned" ? texts.unbanned(name) : texts.approved(name) });
      await client.invalidateQueries({ queryKey: [organization.id] });
      onFixed();
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  if (!may_fix || refused === null) return null;
  const is_fixable =
    (outcome === "affiliate_unapproved" && !refused.approved) ||
    (outcome === "affiliate_banned" && refused.banned);
  if (!is_fixable) return null;
  const name = nameOf(refused);
  return (
    <Button look="solid" busy={isPending} onClick={() => mutate(refused.id)} className="max-w-65">
      <span className="truncate">
        {outcome === "affiliate_banned" ? texts.unban(name) : texts.approve(name)}
      </span>
    </Button>
  );
}
