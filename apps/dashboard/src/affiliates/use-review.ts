import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQueryClient } from "@tanstack/react-query";
import { BULK_PART } from "../session/bulk-change.ts";
import { delay } from "../session/delayed-changes.ts";
import { previewPayments } from "../session/offered-payments.ts";
import { useSession } from "../session/session.tsx";
import { useChange } from "../session/use-change.ts";
import { refusedQuery } from "./queries.ts";
import { texts } from "./texts.ts";
import { useBulkOfAffiliates } from "./use-bulk-of-affiliates.ts";

export interface Decline {
  reason: string | null;
  mail: boolean;
}

export interface Ban {
  reason: string | null;
  /** The choice for amounts that are not paid. */
  due: "pay" | "hold" | "void";
}

interface Review {
  /** Waits a few seconds, in which it can be undone: it sends an event and a mail. Returns the undo. */
  approve: (ids: readonly string[]) => () => void;
  decline: (ids: readonly string[], how: Decline) => () => void;
  /** At once; undone by the opposite. */
  ban: (ids: readonly string[], how?: Ban) => void;
  /** With `release`, the holds of the ban end. */
  unban: (ids: readonly string[], release: boolean) => void;
  busy: boolean;
}

/** The decisions about affiliates. `onUndone` is called with those that were taken back in time. */
export function useReview(onUndone: (ids: readonly string[]) => void = () => {}): Review {
  const { api } = useSession();
  const later = useLater(onUndone);
  const inBulk = useBulkOfAffiliates();
  const offer = useOffer();
  const { ban, unban, busy } = useBans(offer);
  const { affiliates } = api.dashboard;

  return {
    approve: (ids) =>
      ids.length > BULK_PART
        ? inBulk(ids, {
            title: texts.approve_many(ids.length),
            confirm: texts.approve,
            send: (part) => affiliates.approve.mutate({ ids: part }),
          })
        : later(ids, {
            doing: texts.approving(ids.length),
            run: async (keepalive) => {
              await affiliates.approve.mutate({ ids: [...ids] }, { context: { keepalive } });
              if (!keepalive) void offer(ids, "affiliate_unapproved");
            },
          }),
    decline: (ids, how) =>
      ids.length > BULK_PART
        ? inBulk(ids, {
            title: texts.decline_many(ids.length),
            confirm: null,
            send: (part) => affiliates.decline.mutate({ ids: part, ...how }),
          })
        : later(ids, {
            doing: texts.declining(ids.length),
            run: (keepalive) =>
              affiliates.decline.mutate({ ids: [...ids], ...how }, { context: { keepalive } }),
          }),
    ban,
    unban,
    busy,
  };
}

/** Makes a change that waits a few seconds, and returns its undo. */
function useLater(onUndone: (ids: readonly string[]) => void) {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  return (
    ids: readonly string[],
    { doing, run }: { doing: string; run: (keepalive: boolean) => Promise<unknown> },
  ) => {
    const about = ids.join(" ");
    const takeBack = delay({
      ids,
      send: ({ keepalive }) =>
        run(keepalive)
          .catch((error: unknown) => toast({ text: failureOf(error).message, tone: "failed" }))
          .finally(() => void client.invalidateQueries({ queryKey: [organization.id, "affiliates"] })),
    });
    const undo = () => {
      if (!takeBack()) return toast({ text: texts.too_late, tone: "failed", about });
      onUndone(ids);
      return toast({ text: texts.undone, about });
    };
    toast({ text: doing, action: { label: texts.undo, run: undo }, about });
    return undo;
  };
}

type Refusal = Parameters<typeof refusedQuery>[2];

/** Offers to decide again the payments that earned nothing because of the affiliates' former state. */
function useOffer(): (ids: readonly string[], outcome: Refusal) => Promise<void> {
  const session = useSession();
  const client = useQueryClient();
  const toast = useToast();
  return async (ids, outcome) => {
    try {
      const refused = await client.fetchQuery(refusedQuery(session, ids.slice(0, BULK_PART), outcome));
      if (refused.count === 0) return;
      const textOf = outcome === "affiliate_banned" ? texts.before_unban : texts.before_approval;
      toast({
        text: textOf(refused.count),
        action: { label: texts.decide_again, run: () => previewPayments(refused.ids) },
      });
    } catch (error) {
      toast({ text: failureOf(error).message, tone: "failed" });
    }
  };
}

/** Bans, which take effect at once and are undone by the opposite. */
function useBans(offer: ReturnType<typeof useOffer>): Pick<Review, "ban" | "unban" | "busy"> {
  const { affiliates } = useSession().api.dashboard;
  const { change, busy } = useChange("affiliates");
  const inBulk = useBulkOfAffiliates();
  const set = (
    state: "ban" | "unban",
    ids: readonly string[],
    { is_undo, how, release = false }: { is_undo: boolean; how?: Ban | undefined; release?: boolean },
  ) =>
    change({
      run: () =>
        state === "ban"
          ? affiliates.ban.mutate({ ids: [...ids], ...how })
          : affiliates.unban
              .mutate({ ids: [...ids], release })
              .then(() => void offer(ids, "affiliate_banned")),
      toast: {
        text: state === "ban" ? texts.banned(ids.length) : texts.unbanned(ids.length),
        ...(is_undo
          ? {}
          : {
              action: {
                label: texts.undo,
                // As before, an undone ban ends its hold, and a restored ban starts it.
                run: () =>
                  state === "ban"
                    ? set("unban", ids, { is_undo: true, release: true })
                    : set("ban", ids, {
                        is_undo: true,
                        how: { reason: null, due: release ? "hold" : "pay" },
                      }),
              },
            }),
      },
    });
  return {
    ban: (ids, how) =>
      ids.length > BULK_PART
        ? inBulk(ids, {
            title: texts.ban_many(ids.length),
            confirm: null,
            send: (part) => affiliates.ban.mutate({ ids: part, ...how }),
          })
        : set("ban", ids, { is_undo: false, how }),
    unban: (ids, release) =>
      ids.length > BULK_PART
        ? inBulk(ids, {
            title: texts.unban_many(ids.length),
            confirm: null,
            send: (part) => affiliates.unban.mutate({ ids: part, release }),
          })
        : set("unban", ids, { is_undo: false, release }),
    busy,
  };
}
