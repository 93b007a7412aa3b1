import { useClock } from "@findersfee/ui/components/clock";
import { Failure, Notice } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { Time } from "@findersfee/ui/components/values";
import { formatDateTime } from "@findersfee/ui/formats/dates";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { focusWrongField } from "@findersfee/ui/forms/wrong-field";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page, PageTabs } from "@findersfee/ui/shell/page";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Outlet, useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { HistoryLink } from "../../audit-log/link/history-link.tsx";
import { LeaveGuard } from "../../forms/leave-guard.tsx";
import { SaveBar } from "../../forms/save-bar.tsx";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { useMay, useSession } from "../../session/session.tsx";
import { ForbiddenPage, isForbidden } from "../../shell/forbidden-page.tsx";
import { NotFoundPage } from "../../shell/not-found-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import type { EditedCampaign } from "./draft.ts";
import { editedQuery } from "./queries.ts";
import { refusedText } from "./refused-text.ts";
import { texts } from "./texts.ts";
import { type Editor, EditorProvider, type OthersChange, useCampaignEditor } from "./use-editor.ts";

const route = getRouteApi("/o/$slug/campaigns/$id");

/** The pages of one campaign, which share its draft. */
export function CampaignFrame() {
  const session = useSession();
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(editedQuery(session, id));
  if (isForbidden(error)) return <ForbiddenPage error={error} />;
  if (error !== null && failureOf(error).status === 404) return <NotFoundPage />;
  if (data === undefined) {
    return (
      <Page title={texts.campaigns} parent={{ to: `${session.home}/campaigns`, label: texts.campaigns }}>
        {error === null ? (
          <SkeletonRows label={shell_texts.loading} />
        ) : (
          <FailureNotice error={error} onRetry={() => void refetch()} />
        )}
      </Page>
    );
  }
  return <EditedFrame key={id} edited={data} />;
}

function EditedFrame({ edited }: { edited: EditedCampaign }) {
  const { home, organization } = useSession();
  const { pathname } = useLocation();
  const may_change = useMay("admin");
  const editor = useCampaignEditor(edited);
  const { campaign } = editor;
  const path = `${home}/campaigns/${campaign.id}`;
  useWrongSetting(editor.failure);
  // Viewers change nothing there either.
  const is_report = pathname === `${path}/performance`;
  const tabOf = (part: "performance" | "rules" | "form" | "portal" | "install") => ({
    to: `${path}/${part}`,
    label: texts[part],
    current: pathname === `${path}/${part}`,
  });
  return (
    <EditorProvider value={editor}>
      <Page
        title={campaign.name}
        document_title={`${campaign.name} · ${organization.name}`}
        parent={{ to: `${home}/campaigns`, label: texts.campaigns }}
        beside={campaign.is_default && <span className="text-table">{texts.default}</span>}
        tabs={
          <PageTabs
            label={texts.parts}
            tabs={[tabOf("rules"), tabOf("form"), tabOf("portal"), tabOf("install"), tabOf("performance")]}
          />
        }
        link={<HistoryLink of={campaign.id} />}
        actions={may_change && <SavedAt editor={editor} />}
      >
        <div className="grid gap-3 pt-4">
          {!may_change && !is_report && <p className="text-muted">{texts.read_only}</p>}
          <RestoredNote draft={{ is_restored: editor.is_restored, discard: editor.discard }} />
          {editor.others !== null && <Others others={editor.others} />}
          {editor.failure !== null && <Refused failure={editor.failure} />}
        </div>
        <fieldset disabled={!may_change && !is_report} className="contents">
          <Outlet />
        </fieldset>
        <SaveBar
          changed={may_change ? editor.changed.length : 0}
          busy={editor.is_saving}
          onDiscard={editor.discard}
          onSave={() => void editor.save()}
        />
      </Page>
      <LeaveGuard
        path={path}
        isDirty={() => editor.changed.length > 0}
        hint={texts.leave_hint}
        onDiscard={editor.discard}
      />
    </EditorProvider>
  );
}

/** Its fields are in no form, so a refused change leads to the first wrong one here, if this tab has it. */
function useWrongSetting(failure: Editor["failure"]): void {
  useEffect(() => {
    const page = document.getElementById("content");
    if (failure !== null && page !== null) focusWrongField(page);
  }, [failure]);
}

function SavedAt({ editor: { changed, saved_at } }: { editor: Editor }) {
  const clock = useClock();
  return (
    <span role="status" className="text-table text-muted tabular-nums">
      {changed.length === 0 && saved_at !== null && texts.saved(formatDateTime(saved_at, clock))}
    </span>
  );
}

function Refused({ failure }: { failure: NonNullable<Editor["failure"]> }) {
  return (
    <Failure
      message={refusedText(failure)}
      request_id={failure.issues.length === 0 ? failure.request_id : undefined}
    />
  );
}

/** The settings that somebody else has saved since the person began. */
function Others({ others: { by, at, settings } }: { others: OthersChange }) {
  return (
    <Notice tone="warn" title={texts.others(by)} alert>
      {at !== null && <Time at={at} show="relative" />}
      <ul className="py-1">
        {settings.map(({ name, is_own }) => (
          <li key={name}>
            {texts.settings[name]}
            {is_own && ` (${texts.others_own})`}
          </li>
        ))}
      </ul>
      {texts.others_hint}
    </Notice>
  );
}
