import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { useNavigation } from "@findersfee/ui/navigation";
import { Dialog } from "@findersfee/ui/overlays/dialog";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { FlaskConical } from "lucide-react";
import { useState } from "react";
import { createApi } from "../../requests/api.ts";
import { meQuery, useMay, useSession } from "../../session/session.tsx";
import { texts } from "./texts.ts";

/** The banner above all pages of test data, with a link back. */
export function TestBanner() {
  const { organization, me } = useSession();
  const [removing, setRemoving] = useState(false);
  const may_remove = useMay("admin");
  const tested = me.organizations.find(({ id }) => id === organization.test_of);
  if (organization.test_of === null || tested === undefined) return null;
  return (
    <aside className="flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-info-tint px-8 py-2 text-table max-full:px-6 max-wide:px-4">
      <FlaskConical aria-hidden size={15} className="shrink-0 text-info" />
      <span className="min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">{texts.banner(tested.name)}</span>
      <ButtonLink to={`/o/${tested.slug}`}>
        <span className="max-w-60 truncate">{texts.back_to(tested.name)}</span>
      </ButtonLink>
      {may_remove && (
        <Button look="quiet" onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
      )}
      <RemoveDialog open={removing} tested={tested} onClose={() => setRemoving(false)} />
    </aside>
  );
}

function RemoveDialog({
  open,
  tested,
  onClose,
}: {
  open: boolean;
  tested: { id: string; slug: string };
  onClose: () => void;
}) {
  const { organization } = useSession();
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      createApi(tested.id).dashboard.onboarding.remove_test_data.mutate({
        organization_id: organization.id,
      }),
    onSuccess: async () => {
      navigate(`/o/${tested.slug}`);
      await client.invalidateQueries({ queryKey: [tested.id, "onboarding"] });
      await client.invalidateQueries(meQuery);
      toast({ text: texts.removed });
    },
    onError: (error) => toast({ text: error.message, tone: "failed" }),
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.remove_title}
      actions={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button look="danger" busy={isPending} onClick={() => mutate()}>
            {texts.remove}
          </Button>
        </>
      }
    >
      <p className="text-muted">{texts.remove_hint}</p>
    </Dialog>
  );
}
