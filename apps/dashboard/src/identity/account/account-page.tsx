import { Page } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { meQuery } from "../../session/session.tsx";
import { Notifications } from "./notifications.tsx";
import { Passkeys } from "./passkeys.tsx";
import { Password } from "./password.tsx";
import { Preferences } from "./preferences.tsx";
import { Profile } from "./profile.tsx";
import { SecondFactor } from "./second-factor.tsx";
import { SecurityEvents } from "./security-events.tsx";
import { SensitiveProvider } from "./sensitive.tsx";
import { Sessions } from "./sessions.tsx";
import { texts } from "./texts.ts";

const route = getRouteApi("/me");

/** The person's own account, which belongs to no organization. */
export function AccountPage() {
  const { from } = route.useSearch();
  const { data: me } = useQuery(meQuery);
  if (me === undefined) return null;
  const organization = me.organizations.find(({ slug }) => slug === from);
  const parent =
    organization === undefined
      ? { to: "/organizations", label: texts.organizations }
      : { to: `/o/${organization.slug}`, label: organization.name };
  return (
    <SensitiveProvider>
      <main id="content" className="mx-auto max-w-240 pb-16">
        <Page title={texts.title} document_title={`${texts.title} · Findersfee`} parent={parent} width="text">
          <Profile me={me} />
          <Preferences me={me} />
          <Notifications me={me} />
          <Password />
          <Passkeys />
          <SecondFactor />
          <Sessions />
          <SecurityEvents />
        </Page>
      </main>
    </SensitiveProvider>
  );
}
