import { Button, IconButton } from "@findersfee/ui/components/button";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { Plus, Trash2 } from "lucide-react";
import { newKey } from "../../requests/new-key.ts";
import { useSession } from "../../session/session.tsx";
import { Conditions, CurrencySelect, type KnownTier } from "./conditions.tsx";
import type { RewardType, RuleDraft } from "./rule-draft.ts";
import { texts } from "./texts.ts";

export interface RuleFormProps {
  rule: RuleDraft;
  onChange: (rule: RuleDraft) => void;
  /** The issue of a path within the rule. */
  issueOf: (path: string) => string | undefined;
}

/** The reward of a rule, its payments, and its name. `tiers`: the tiers that it can ask for. */
export function RuleForm({
  rule,
  onChange,
  issueOf,
  tiers,
}: RuleFormProps & { tiers: readonly KnownTier[] }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <RewardFields rule={rule} onChange={onChange} issueOf={issueOf} />
      <Conditions
        conditions={rule.conditions}
        onChange={(conditions) => onChange({ ...rule, conditions })}
        issueOf={(path) => issueOf(`conditions.${path}`)}
        tiers={tiers}
      />
      <TextField
        label={texts.name}
        hint={texts.name_hint}
        optional
        autoComplete="off"
        value={rule.name}
        onChange={({ target }) => onChange({ ...rule, name: target.value })}
        error={issueOf("name") ?? issueOf("id")}
      />
    </div>
  );
}

/** A percentage, an amount for each of some currencies, or nothing. */
export function RewardFields({ rule, onChange, issueOf }: RuleFormProps) {
  const { organization } = useSession();
  const choose = (type: RewardType) => {
    const { amounts } = rule;
    const first = [{ key: newKey(), currency: organization.currency, amount: "" }];
    onChange({ ...rule, type, amounts: amounts.length === 0 ? first : amounts });
  };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      <div className="grid grid-cols-[minmax(0,160px)_minmax(0,1fr)] items-start gap-3">
        <SelectField
          label={texts.reward}
          value={rule.type}
          onChange={({ target }) => choose(target.value as RewardType)}
          error={issueOf("reward.type")}
        >
          {Object.entries(texts.reward_types).map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </SelectField>
        {rule.type === "percentage" && (
          <TextField
            label={texts.percent}
            inputMode="decimal"
            autoComplete="off"
            suffix="%"
            value={rule.amount}
            onChange={({ target }) => onChange({ ...rule, amount: target.value })}
            error={issueOf("reward.amount")}
          />
        )}
      </div>
      {rule.type === "fixed" && <Amounts rule={rule} onChange={onChange} issueOf={issueOf} />}
    </div>
  );
}

function Amounts({ rule, onChange, issueOf }: RuleFormProps) {
  const { organization } = useSession();
  const { amounts } = rule;
  const set = (key: string, part: Partial<(typeof amounts)[number]>) =>
    onChange({ ...rule, amounts: amounts.map((item) => (item.key === key ? { ...item, ...part } : item)) });
  const add = () => {
    const taken = new Set(amounts.map(({ currency }) => currency));
    const currency = [organization.currency, "USD", "EUR", "GBP"].find((code) => !taken.has(code)) ?? "USD";
    onChange({ ...rule, amounts: [...amounts, { key: newKey(), currency, amount: "" }] });
  };
  const issue = issueOf("reward.amounts");
  return (
    <div className="grid gap-3">
      {amounts.map((item, index) => (
        <div key={item.key} className="grid grid-cols-[minmax(0,1fr)_minmax(0,112px)_auto] items-start gap-3">
          <TextField
            label={texts.amount}
            inputMode="decimal"
            autoComplete="off"
            value={item.amount}
            onChange={({ target }) => set(item.key, { amount: target.value })}
            error={issueOf(`reward.amounts[${index}].amount`) ?? (index === 0 ? issue : undefined)}
          />
          <CurrencySelect
            value={item.currency}
            onChange={(currency) => set(item.key, { currency })}
            error={issueOf(`reward.amounts[${index}].currency`)}
          />
          <IconButton
            label={texts.remove_currency(item.currency)}
            disabled={amounts.length === 1}
            onClick={() => onChange({ ...rule, amounts: amounts.filter(({ key }) => key !== item.key) })}
            className="mt-[26px] disabled:text-rule"
          >
            <Trash2 aria-hidden size={15} />
          </IconButton>
        </div>
      ))}
      <p className="text-table text-muted">{texts.fixed_hint}</p>
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={14} />
          {texts.add_currency}
        </Button>
      </div>
    </div>
  );
}
