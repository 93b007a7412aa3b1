import { Button } from "@findersfee/ui/components/button";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "../session/session.tsx";
import type { Explained } from "./queries.ts";

export interface FixProps {
  affiliate: NonNullable<Explained["candidates"][number]["affiliate"]>;
  onFixed: () => void;
}

/** The button of a remedy. */
export function FixButton({ label, busy, onClick }: { label: string; busy: boolean; onClick: () => void }) {
  return (
    <Button look="solid" busy={busy} onClick={onClick} className="max-w-65">
      <span className="truncate">{label}</span>
    </Button>
  );
}

/** Changes the affiliate, and reads the organization's data again. */
export function useFix(
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
