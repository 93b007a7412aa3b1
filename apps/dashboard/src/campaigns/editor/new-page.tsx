import { Failure } from "@findersfee/ui/components/notice";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { RestoredNote } from "@findersfee/ui/forms/restored-note";
import { useDraftState } from "@findersfee/ui/forms/use-draft-value";
import { useNavigation } from "@findersfee/ui/navigation";
import { failureOf } from "@findersfee/ui/requests/failure";
import { Page } from "@findersfee/ui/shell/page";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { LeaveGuard } from "../../forms/leave-guard.tsx";
import { PageActions } from "../../forms/page-actions.tsx";
import { useSession } from "../../session/session.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { campaignsQuery } from "../queries.ts";
import { Beside } from "./beside.tsx";
import { type CampaignDraft, differing, NEW_DRAFT, settingsOf } from "./draft.ts";
import { LaterSchedule } from "./later-schedule.tsx";
import { refusedText } from "./refused-text.ts";
import { RulesForm } from "./rules-form.tsx";
import { texts } from "./texts.ts";

/** A campaign from its rules; the form, the portal and the tag follow on its own pages. */
export function NewCampaignPage() {
  const { data, error } = useQuery(campaignsQuery(useSession()));
  // New affiliates join the default campaign: the first one is it, unless the person decides otherwise.
  if (data !== undefined || error !== null) return <NewCampaign is_first={data?.data.length === 0} />;
  return (
    <Page title={texts.new_title}>
      <SkeletonRows label={shell_texts.loading} />
    </Page>
  );
}

function NewCampaign({ is_first }: { is_first: boolean }) {
  const { api, home, organization } = useSession();
  const client = useQueryClient();
  const { navigate } = useNavigation();
  const initial = { ...NEW_DRAFT, is_default: is_first };
  const differs = (draft: CampaignDraft) => differing(draft, initial).length > 0;
  const kept = useDraftState<CampaignDraft>({ initial, differs });
  const { value: draft } = kept;
  const is_created = useRef(false);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => api.campaigns.create.mutate(settingsOf(draft)),
    onSuccess: async ({ id }) => {
      is_created.current = true;
      kept.clear();
      await client.invalidateQueries({ queryKey: [organization.id] });
      navigate(`${home}/campaigns/${id}/install`);
    },
  });
  const failure = error === null ? null : failureOf(error);
  const issueOf = (path: string) => failure?.issues.find((issue) => issue.path === path)?.message;
  return (
    <Page
      title={texts.new_title}
      document_title={`${texts.new_title} · ${organization.name}`}
      parent={{ to: `${home}/campaigns`, label: texts.campaigns }}
    >
      <RestoredNote draft={kept} />
      <Beside preview={<LaterSchedule draft={draft} />}>
        <form
          className="grid gap-6"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            mutate();
          }}
        >
          <RulesForm is_new draft={draft} set={kept.set} issueOf={issueOf} />
          {failure !== null && (
            <Failure
              message={refusedText(failure)}
              request_id={failure.issues.length === 0 ? failure.request_id : undefined}
            />
          )}
          <PageActions submit={texts.create} busy={isPending} parent={`${home}/campaigns`} />
        </form>
      </Beside>
      <LeaveGuard
        path={`${home}/campaigns/new`}
        isDirty={() => kept.is_dirty && !is_created.current}
        hint={texts.leave_new_hint}
        onDiscard={kept.discard}
      />
    </Page>
  );
}
