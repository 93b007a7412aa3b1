import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
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

/* Few programs have it. */
const PayoutCurrency = lazyPart(() => import("./payout-currency.tsx"), "PayoutCurrency");

/** The settings that affiliates change themselves, and the way to leave. */
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
            {data.may_choose_payout_currency && (
              <Suspense>
                <PayoutCurrency settings={data} />
              </Suspense>
            )}
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
