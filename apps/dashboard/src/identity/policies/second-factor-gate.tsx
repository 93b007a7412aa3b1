import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { Page } from "@findersfee/ui/shell/page";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { SecondFactor } from "../account/second-factor.tsx";
import { SensitiveProvider } from "../account/sensitive.tsx";
import { texts } from "./texts.ts";

/** Leads a member without an authenticator app to one. */
export function SecondFactorGate({ onDone }: { onDone: () => void }) {
  const { organization, me } = useSession();
  const title = texts.set_up_title(organization.name);
  return (
    <SensitiveProvider>
      <main id="content" className="mx-auto max-w-240 pb-16">
        <Page title={title} document_title={`${title} · Findersfee`} width="text">
          <p>{texts.set_up_hint}</p>
          <SecondFactor />
          <div className="flex flex-wrap gap-2">
            {me.user.two_factor_enabled && (
              <Button look="solid" onClick={onDone}>
                {texts.go_on}
              </Button>
            )}
            <ButtonLink to="/organizations">{shell_texts.all_organizations}</ButtonLink>
          </div>
        </Page>
      </main>
    </SensitiveProvider>
  );
}
