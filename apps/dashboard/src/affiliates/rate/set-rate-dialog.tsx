import type { Campaign } from "@findersfee/contract/campaigns/campaigns";
import { Button } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { BROWSER_CLOCK } from "@findersfee/ui/formats/clock";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useQuery } from "@tanstack/react-query";
import { Plus } from "lucide-react";
import { useState } from "react";
import { TryOnPastPayments } from "../../attribution/backtest/try-button.tsx";
import { campaignsQuery } from "../../campaigns/queries.ts";
import type { KnownTier } from "../../campaigns/rules/conditions.tsx";
import {
  copyOf,
  fieldPaths,
  newRule,
  type RuleDraft,
  ruleDraftOf,
  ruleOf,
} from "../../campaigns/rules/rule-draft.ts";
import { RewardFields } from "../../campaigns/rules/rule-form.tsx";
import { RuleList } from "../../campaigns/rules/rule-list.tsx";
import { OrganizationDialog } from "../../dialogs/organization-dialog.tsx";
import type { ErrorOf } from "../../forms/field-failures.ts";
import { BULK_PART } from "../../session/bulk-change.ts";
import { useSession } from "../../session/session.tsx";
import { useBulkOfAffiliates } from "../use-bulk-of-affiliates.ts";
import type { RulePeriod } from "./queries.ts";
import { texts } from "./texts.ts";

/** The campaign's limit is its own matter. */
const NO_LIMIT = { limit_type: "none", limit_amount: null } as const;

interface SetRateDialogProps {
  ids: readonly string[];
  /** The initial rules. */
  rules: RulePeriod["rules"];
  /** The campaign of a single affiliate, for trying the rules on its past payments. */
  campaign_id?: string;
  onClose: () => void;
}

/** Gives affiliates rules of their own. */
export function SetRateDialog({ ids, rules: before, campaign_id, onClose }: SetRateDialogProps) {
  const { api, organization } = useSession();
  const toast = useToast();
  const inBulk = useBulkOfAffiliates();
  const [rules, setRules] = useState((): RuleDraft[] =>
    before.length === 0
      ? [newRule(organization.currency)]
      : // They are new ones from another time on.
        before.map((rule) => copyOf(ruleDraftOf(rule))),
  );
  const title = ids.length === 1 ? texts.set_title : texts.set_title_of(ids.length);
  const run = async (form: FormData) => {
    const change = { ...timesOf(form), rules: rules.map(ruleOf) };
    const send = (affiliate_ids: string[]) => api.affiliate_rules.set.mutate({ affiliate_ids, ...change });
    if (ids.length <= BULK_PART) return await send([...ids]);
    inBulk(ids, {
      title,
      confirm: null,
      send: async (part) => ({ changed: (await send(part)).affiliates }),
    });
    return null;
  };
  return (
    <OrganizationDialog
      open
      onClose={onClose}
      title={title}
      confirm={texts.confirm}
      changes="affiliates"
      fields={[
        ...["starts_at", "note", "rules"],
        ...rules.flatMap((rule, index) => fieldPaths(rule).map((path) => `rules[${index}].${path}`)),
      ]}
      run={run}
      onDone={(result) => result !== null && toast({ text: texts.done(result.affiliates) })}
    >
      {(errorOf) => (
        <>
          <Rules rules={rules} onChange={setRules} errorOf={errorOf} />
          <p className="text-table text-muted">{texts.hint}</p>
          <TimeAndNote errorOf={errorOf} />
          {campaign_id !== undefined && (
            <TryOnPastPayments draft={draftOf(ids, rules)} campaign_id={campaign_id} />
          )}
        </>
      )}
    </OrganizationDialog>
  );
}

function TimeAndNote({ errorOf }: { errorOf: ErrorOf }) {
  return (
    <>
      <TextField
        label={texts.starts_at}
        name="starts_at"
        type="datetime-local"
        optional
        hint={texts.now(BROWSER_CLOCK.time_zone)}
        error={errorOf("starts_at")}
      />
      <TextField
        label={texts.note}
        name="note"
        optional
        autoComplete="off"
        maxLength={500}
        hint={texts.note_hint}
        error={errorOf("note")}
      />
    </>
  );
}

const draftOf = (ids: readonly string[], rules: readonly RuleDraft[]) => ({
  affiliate_rules: [{ affiliate_ids: [...ids], rules: rules.map(ruleOf) }],
});

/** The tiers of all campaigns: those of other campaigns never match, but affiliates move. */
function tiersOf(campaigns: readonly Pick<Campaign, "name" | "tiers">[]): KnownTier[] {
  const all = campaigns.filter(({ tiers }) => tiers !== null);
  return all.flatMap(({ name: campaign, tiers }) =>
    (tiers?.steps ?? []).map(({ id, name }) => ({
      id,
      name: all.length === 1 ? name : `${name} (${campaign})`,
    })),
  );
}

function timesOf(form: FormData): { starts_at?: string; note: string | null } {
  const starts_at = String(form.get("starts_at"));
  const note = String(form.get("note")).trim();
  return {
    ...(starts_at !== "" && { starts_at: new Date(starts_at).toISOString() }),
    note: note === "" ? null : note,
  };
}

/** One rate; with conditions, or several of them, as rules. */
function Rules({
  rules,
  onChange,
  errorOf,
}: {
  rules: readonly RuleDraft[];
  onChange: (rules: RuleDraft[]) => void;
  errorOf: ErrorOf;
}) {
  const { data: campaigns } = useQuery(campaignsQuery(useSession()));
  const [first] = rules;
  const is_plain =
    rules.length === 1 &&
    first !== undefined &&
    Object.keys(first.conditions).length === 0 &&
    first.name === "";
  const [has_more, setMore] = useState(!is_plain);
  if (has_more || first === undefined) {
    return (
      <RuleList
        rules={rules}
        onChange={onChange}
        issueOf={(path) => errorOf(`rules${path}`)}
        limit={NO_LIMIT}
        excludes={false}
        tiers={tiersOf(campaigns?.data ?? [])}
        {...(is_plain && { open: first?.key })}
      />
    );
  }
  return (
    <>
      <RewardFields
        rule={first}
        onChange={(rule) => onChange([rule])}
        issueOf={(path) => errorOf(`rules[0].${path}`)}
      />
      <div>
        <Button onClick={() => setMore(true)}>
          <Plus aria-hidden size={14} />
          {texts.more}
        </Button>
      </div>
    </>
  );
}
