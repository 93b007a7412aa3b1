import { type Toast, useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useSession } from "./session.tsx";

export interface Change<Result> {
  run: () => Promise<Result>;
  /** Shown when it is done. */
  toast: Toast | ((result: Result) => Toast);
}

/** Runs one change at a time, reports its result, and loads the queries again that have `changes` as second part of their keys. */
export function useChange(changes: string): {
  change: <Result>(change: Change<Result>) => void;
  busy: boolean;
} {
  const { organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: (run: () => Promise<Toast>) => run(),
    onSuccess: (done) => {
      toast(done);
      return client.invalidateQueries({ queryKey: [organization.id, changes] });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return {
    change: ({ run, toast: done }) =>
      mutate(async () => {
        const result = await run();
        return typeof done === "function" ? done(result) : done;
      }),
    busy: isPending,
  };
}
