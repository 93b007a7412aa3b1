import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { nameOf } from "../../affiliates/name.ts";
import { type Session, useSession } from "../../session/session.tsx";

export type OverrideResult = Awaited<ReturnType<Session["api"]["referrals"]["move"]["mutate"]>>;

/** The changes of an override, with the names of its affiliates by their ids. */
export interface OverridePreview extends OverrideResult {
  names: ReadonlyMap<string, string>;
}

/** The part of a request that all overrides share. */
export interface OverrideRequest {
  reason: string;
  dry_run?: boolean;
  version?: string;
}

interface OverrideUse {
  /** Another choice has another preview. Null: not chosen yet. */
  choice: string | null;
  send: (request: OverrideRequest) => Promise<OverrideResult>;
  /** The toast. */
  done: string;
  onClose: () => void;
}

/** A dry run has no reason, and its request needs one. */
const NO_REASON = "-";

/** The preview of an override, and the override with exactly these changes. */
export function useOverride({ choice, send, done, onClose }: OverrideUse) {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const readNames = useNames();
  const preview = useMutation({
    mutationFn: async (): Promise<OverridePreview> => {
      const result = await send({ reason: NO_REASON, dry_run: true });
      return { ...result, names: await readNames(result) };
    },
  });
  const { mutate, reset: resetPreview } = preview;
  const override = useMutation({
    mutationFn: send,
    onSuccess: async () => {
      onClose();
      toast({ text: done });
      await client.invalidateQueries({ queryKey: [organization.id] });
    },
    onError: (error) => {
      if (failureOf(error).code === "override_changed") mutate();
    },
  });
  const { reset } = override;
  useEffect(() => {
    reset();
    if (choice === null) resetPreview();
    else mutate();
  }, [choice, mutate, reset, resetPreview]);
  return { preview, override };
}

/** Reads the names of all affiliates of a preview. */
function useNames() {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const nameById = async (id: string): Promise<[string, string]> => [
    id,
    nameOf(
      await client.fetchQuery({
        queryKey: [organization.id, "affiliates", "name", id],
        queryFn: ({ signal }) => api.affiliates.get.query({ id }, { signal }),
        staleTime: 60_000,
      }),
    ),
  ];
  return async (result: OverrideResult) =>
    new Map(await Promise.all([...affiliatesOf(result)].map(nameById)));
}

function affiliatesOf({ payments, commissions, balances }: OverrideResult): Set<string> {
  return new Set([
    ...payments.flatMap(({ before, after }) => [before.affiliate_id ?? [], after.affiliate_id ?? []].flat()),
    ...commissions.flatMap(({ before_affiliate_id, after_affiliate_id }) => [
      before_affiliate_id,
      after_affiliate_id,
    ]),
    ...balances.map(({ affiliate_id }) => affiliate_id),
  ]);
}
