import { Button } from "@findersfee/ui/components/button";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation } from "@tanstack/react-query";
import { useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** Opens the portal as the affiliate sees it, in the same tab: its banner leads back. */
export function ViewPortalButton({ id }: { id: string }) {
  const { api, organization } = useSession();
  const toast = useToast();
  const { mutate, isPending, isSuccess } = useMutation({
    mutationFn: () => api.dashboard.affiliates.viewPortal.mutate({ id }),
    onSuccess: ({ url }) => window.location.assign(url),
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  // Affiliates of test data have no portal.
  if (organization.test_of !== null) return null;
  return (
    <Button title={texts.view_portal_hint} busy={isPending || isSuccess} onClick={() => mutate()}>
      {texts.view_portal}
    </Button>
  );
}
