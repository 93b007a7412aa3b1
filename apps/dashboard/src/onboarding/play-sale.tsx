import { Button } from "@findersfee/ui/components/button";
import { Failure } from "@findersfee/ui/components/notice";
import { useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Play } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { newKey } from "../requests/new-key.ts";
import { meQuery, useSession } from "../session/session.tsx";
import { testSaleQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The service takes this long, at most, to learn that a person may see new test data. */
const ACCESS_MILLISECONDS = 1_100;
const SLOW_MILLISECONDS = 15_000;

/** A button that plays a sale, waits for its decision, and opens the story of its commission. */
export function PlaySale({ look = "plain", disabled }: { look?: "plain" | "solid"; disabled?: boolean }) {
  const { play, state, failure } = usePlayedSale();
  return (
    <div className="grid justify-items-start gap-2">
      <Button
        look={look}
        busy={state === "playing" || state === "slow"}
        disabled={disabled}
        onClick={play}
        className="disabled:text-muted"
      >
        <Play aria-hidden size={14} />
        {texts.play}
      </Button>
      <p role="status" className="text-table text-muted empty:hidden">
        {state === "playing" && texts.playing}
        {state === "slow" && texts.still_playing}
      </p>
      {failure !== null && <Failure {...failure} />}
    </div>
  );
}

function usePlayedSale() {
  const session = useSession();
  const { api } = session;
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const toast = useToast();
  // The same sale again after a failure: no step of it is done twice.
  const sale = useRef<string | null>(null);
  const [played, setPlayed] = useState<{ id: string; at: number } | null>(null);
  const [is_slow, setSlow] = useState(false);
  const mutation = useMutation({
    mutationFn: async () => {
      sale.current ??= newKey();
      await api.dashboard.onboarding.play_sale.mutate({ id: sale.current });
      return sale.current;
    },
    onSuccess: (id) => setPlayed({ id, at: Date.now() }),
  });
  const { data, error } = useQuery(testSaleQuery(session, played?.id ?? null));
  useEffect(() => {
    if (played === null) return undefined;
    const timer = setTimeout(() => setSlow(true), SLOW_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [played]);
  useEffect(() => {
    if (played === null || data?.state !== "decided") return undefined;
    const { slug } = data.organization;
    const page =
      data.commission_id === null ? `payments/${data.decision_id}` : `commissions/${data.commission_id}`;
    const open = async () => {
      await client.fetchQuery({ ...meQuery, staleTime: 0 });
      toast({ text: texts.played });
      navigate(`/o/${slug}/${page}`);
    };
    const timer = setTimeout(open, Math.max(0, played.at + ACCESS_MILLISECONDS - Date.now()));
    return () => clearTimeout(timer);
  }, [played, data, client, navigate, toast]);
  const failed = mutation.error ?? error;
  const failure =
    failed !== null
      ? failureOf(failed)
      : data?.state === "failed"
        ? { message: data.reason ?? "", request_id: undefined }
        : null;
  const is_playing = mutation.isPending || (played !== null && failure === null);
  return {
    play: () => mutation.mutate(),
    state: is_playing ? (is_slow ? "slow" : "playing") : "idle",
    failure: failure === null ? null : { message: failure.message, request_id: failure.request_id },
  } as const;
}
