import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { useQuery } from "@tanstack/react-query";
import { useTexts } from "../../language/language.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useSession } from "../../session/session.tsx";
import { Page } from "../../shell/page.tsx";
import { Answers } from "./answers.tsx";
import { Download } from "./download.tsx";
import { Language } from "./language.tsx";
import { Leaving } from "./leaving.tsx";
import { Names } from "./names.tsx";
import { Notifications } from "./notifications.tsx";
import { PayoutEmail } from "./payout-email.tsx";
import { settingsQuery } from "./queries.ts";
import { Sessions } from "./sessions.tsx";

/** What affiliates set themselves, and how they leave. */
export function SettingsPage() {
  const { settings, components } = useTexts();
  const { me, program, api } = useSession();
  const { data, error, refetch } = useQuery(settingsQuery(api, program.affiliate_id));
  return (
    <Page title={settings.title} document_title={`${settings.title} · ${program.organization_name}`}>
      {error !== null && <FailureNotice error={error} onRetry={refetch} />}
      {data === undefined && error === null && <SkeletonRows label={components.loading} />}
      {data !== undefined && (
        <>
          <fieldset disabled={me.by_staff} className="affiliate-only">
            <Names settings={data} />
            <PayoutEmail settings={data} />
            <Language />
            <Notifications settings={data} />
          </fieldset>
          {!me.by_staff && <Sessions />}
          <Answers settings={data} />
          {!me.by_staff && <Download />}
          <fieldset disabled={me.by_staff} className="affiliate-only">
            <Leaving />
          </fieldset>
        </>
      )}
    </Page>
  );
}
