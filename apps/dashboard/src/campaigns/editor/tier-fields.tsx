import { Button, IconButton } from "@findersfee/ui/components/button";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { Plus, Trash2 } from "lucide-react";
import { useSession } from "../../session/session.tsx";
import type { CampaignDraft } from "./draft.ts";
import { RateFields } from "./rate-fields.tsx";
import { NO_TIERS, newStep, type TierStepDraft, type TiersDraft } from "./tier-draft.ts";
import { tier_texts as texts } from "./tier-texts.ts";

const optionsOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

interface TierFieldsProps {
  draft: CampaignDraft;
  set: (part: Partial<CampaignDraft>) => void;
  issueOf: (path: string) => string | undefined;
}

/** The tiers of a campaign, and its leaderboard. */
export function TierFields({ draft, set, issueOf }: TierFieldsProps) {
  const { organization } = useSession();
  const { tiers = NO_TIERS, leaderboard = "none" } = draft;
  const setTiers = (part: Partial<TiersDraft>) => set({ tiers: { ...tiers, ...part } });
  const setStep = (key: string, part: Partial<TierStepDraft>) =>
    setTiers({ steps: tiers.steps.map((step) => (step.key === key ? { ...step, ...part } : step)) });
  return (
    <FieldGroup title={texts.title} hint={texts.hint}>
      {tiers.steps.length > 0 && <Measure tiers={tiers} onChange={setTiers} />}
      <div className="grid gap-4">
        {tiers.steps.map((step, index) => (
          <Step
            key={step.key}
            step={step}
            tiers={tiers}
            onChange={(part) => setStep(step.key, part)}
            onRemove={() => setTiers({ steps: tiers.steps.filter(({ key }) => key !== step.key) })}
            issueOf={(field) => issueOf(`tiers.steps[${index}].${field}`)}
            order_issue={index === 0 ? undefined : issueOf("tiers.steps")}
          />
        ))}
        <div>
          <Button
            onClick={() => setTiers({ steps: [...tiers.steps, newStep(tiers, organization.currency)] })}
          >
            <Plus aria-hidden size={14} />
            {texts.add}
          </Button>
        </div>
      </div>
      <SelectField
        label={texts.leaderboard}
        hint={texts.leaderboard_hint}
        value={leaderboard}
        onChange={({ target }) => set({ leaderboard: target.value as CampaignDraft["leaderboard"] })}
      >
        {optionsOf(texts.leaderboards)}
      </SelectField>
    </FieldGroup>
  );
}

interface MeasureProps {
  tiers: TiersDraft;
  onChange: (part: Partial<TiersDraft>) => void;
}

function Measure({ tiers: { measure, period }, onChange }: MeasureProps) {
  return (
    <div className="grid grid-cols-2 items-start gap-3 max-phone:grid-cols-1">
      <SelectField
        label={texts.measure}
        value={measure}
        onChange={({ target }) => onChange({ measure: target.value as TiersDraft["measure"] })}
      >
        {optionsOf(texts.measures)}
      </SelectField>
      <SelectField
        label={texts.period}
        hint={period === "month" ? texts.month_hint : undefined}
        value={period}
        onChange={({ target }) => onChange({ period: target.value as TiersDraft["period"] })}
      >
        {optionsOf(texts.periods)}
      </SelectField>
    </div>
  );
}

interface StepProps {
  step: TierStepDraft;
  tiers: TiersDraft;
  onChange: (part: Partial<TierStepDraft>) => void;
  onRemove: () => void;
  issueOf: (field: string) => string | undefined;
  /** That the tiers are not in rising order. */
  order_issue: string | undefined;
}

function Step({ step, tiers: { measure, period }, onChange, onRemove, issueOf, order_issue }: StepProps) {
  const { organization } = useSession();
  return (
    <div className="grid gap-3 rounded-card border border-line p-3">
      <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] items-start gap-3">
        <TextField
          label={texts.name}
          autoComplete="off"
          value={step.name}
          onChange={({ target }) => onChange({ name: target.value })}
          error={issueOf("name")}
        />
        <TextField
          label={texts.from}
          inputMode="decimal"
          autoComplete="off"
          // A new tier has a name already.
          autoFocus={step.id === null && step.from === ""}
          value={step.from}
          onChange={({ target }) => onChange({ from: target.value })}
          suffix={measure === "customers" ? texts.customers : organization.currency}
          error={issueOf("from") ?? order_issue}
        />
        <IconButton label={texts.remove(step.name)} onClick={onRemove} className="mt-[26px]">
          <Trash2 aria-hidden size={15} />
        </IconButton>
      </div>
      <RateFields
        rate={step.rate}
        onChange={(rate) => onChange({ rate, currency: step.currency || organization.currency })}
        label={texts.commission}
        hint={step.other === null ? texts.commission_hint : texts.other}
        error={issueOf("commission.amount") ?? issueOf("commission.amounts[0].amount")}
      />
      <TextField
        label={texts.bonus}
        hint={period === "month" ? texts.bonus_month_hint : texts.bonus_hint}
        inputMode="decimal"
        autoComplete="off"
        value={step.bonus}
        onChange={({ target }) => onChange({ bonus: target.value })}
        suffix={organization.currency}
        error={issueOf("bonus")}
      />
    </div>
  );
}
