import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { account, type Me } from "../requests/account.ts";
import { meQuery } from "./session.tsx";

type Preferences = Partial<Me["preferences"]>;

/** Changes preferences of the person at once, and back if the service refuses them. Resolves after its response. */
export function useSetPreferences(): (changes: Preferences) => Promise<void> {
  const client = useQueryClient();
  const toast = useToast();
  const { mutate } = useMutation({
    mutationFn: (changes: Preferences) => account.me.update_preferences.mutate(changes),
    onMutate: (changes) => {
      const before = client.getQueryData(meQuery.queryKey);
      if (before !== undefined) {
        client.setQueryData(meQuery.queryKey, {
          ...before,
          preferences: { ...before.preferences, ...changes },
        });
      }
      return before;
    },
    onError: (error, _changes, before) => {
      client.setQueryData(meQuery.queryKey, before);
      toast({ text: failureOf(error).message, tone: "failed" });
    },
  });
  return (changes) => new Promise((resolve) => mutate(changes, { onSettled: () => resolve() }));
}
