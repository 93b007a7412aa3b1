import { Button } from "@findersfee/ui/components/button";
import { useNavigation } from "@findersfee/ui/navigation";
import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "../../identity/settings/use-action.ts";
import { FormFailure } from "../../identity/sign-in/form-failure.tsx";
import { useLanguage } from "../../language/language.tsx";
import { portal } from "../../requests/portal.ts";
import { storeChosen } from "../../session/chosen-program.ts";
import { type Me, meQuery } from "../../session/session.tsx";

/**
 * An organization that added the person, with the two answers. It has no logo, since it could use another
 * organization's.
 */
export function Invitation({ invitation }: { invitation: Me["invitations"][number] }) {
  const { language, texts: words } = useLanguage();
  const { invitations: texts } = words;
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const { affiliate_id, organization_name, campaign_name, campaign_translations } = invitation;
  const accept = useAction(async () => {
    await portal.invitations.accept.mutate({ affiliate_id });
    storeChosen(affiliate_id);
    await client.resetQueries({ queryKey: meQuery.queryKey });
    navigate("/");
  });
  const disown = useAction(async () => {
    await portal.invitations.disown.mutate({ affiliate_id });
    await client.refetchQueries({ queryKey: meQuery.queryKey });
  });
  const failure = accept.failure ?? disown.failure;
  return (
    <li className="grid gap-3 rounded-card border border-line p-4">
      <p dir="auto" className="wrap-anywhere">
        {texts.invites(organization_name, campaign_translations[language]?.name ?? campaign_name)}
      </p>
      <FormFailure failure={failure} />
      <div className="flex flex-wrap gap-3">
        <Button
          look="solid"
          busy={accept.busy}
          onClick={accept.run}
          aria-label={`${texts.accept}: ${organization_name}`}
        >
          {texts.accept}
        </Button>
        <Button busy={disown.busy} onClick={disown.run} aria-label={`${texts.disown}: ${organization_name}`}>
          {texts.disown}
        </Button>
      </div>
    </li>
  );
}
