import { currencyCodes } from "@findersfee/contract/currencies";
import { IconButton } from "@findersfee/ui/components/button";
import { Checkbox, SelectField, TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { Menu } from "@findersfee/ui/overlays/menu";
import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { useSession } from "../../session/session.tsx";
import { issueOfList } from "./issue-of-list.ts";
import type { ConditionName, ConditionsDraft, RangeDraft } from "./rule-draft.ts";
import { texts } from "./texts.ts";

/** A tier that rules can ask for. */
export interface KnownTier {
  id: string;
  name: string;
}

interface FieldProps {
  conditions: ConditionsDraft;
  onChange: (conditions: ConditionsDraft) => void;
  /** The issue of a path within the conditions. */
  issueOf: (path: string) => string | undefined;
}

interface ConditionsProps extends FieldProps {
  /** Those of the campaign. */
  tiers: readonly KnownTier[];
}

const NAMES = Object.keys(texts.conditions) as ConditionName[];

/** The conditions that a rule has, and a way to add others. */
export function Conditions({ conditions, onChange, issueOf, tiers }: ConditionsProps) {
  const { organization } = useSession();
  const chosen = NAMES.filter((name) => conditions[name] !== undefined);
  const others = NAMES.filter((name) => conditions[name] === undefined);
  const remove = (name: ConditionName) =>
    onChange(
      Object.fromEntries(Object.entries(conditions).filter(([other]) => other !== name)) as ConditionsDraft,
    );
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
      {chosen.length > 1 && <p className="text-table text-muted">{texts.all_conditions}</p>}
      {chosen.map((name) => (
        <Condition key={name} name={name} onRemove={() => remove(name)}>
          <ConditionFields
            name={name}
            conditions={conditions}
            onChange={(part) => onChange({ ...conditions, ...part })}
            issueOf={issueOf}
            tiers={tiers}
          />
        </Condition>
      ))}
      {others.length > 0 && (
        <div>
          <Menu
            items={others.map((name) => ({
              kind: "action",
              id: name,
              label: texts.conditions[name],
              run: () => onChange({ ...conditions, ...emptyCondition(name, organization.currency) }),
            }))}
          >
            <Plus aria-hidden size={14} />
            {texts.add_condition}
          </Menu>
        </div>
      )}
    </div>
  );
}

function emptyCondition(name: ConditionName, currency: string): ConditionsDraft {
  switch (name) {
    case "intervals":
      return { intervals: ["year"] };
    case "tiers":
      return { tiers: [] };
    case "payments":
    case "months":
      return { [name]: { from: "1", to: name === "payments" ? "1" : "12" } };
    case "amount":
      return { amount: { currency, from: "", below: "" } };
    case "metadata":
      return { metadata: { key: "", values: "" } };
    default:
      return { [name]: "" };
  }
}

function Condition({
  name,
  onRemove,
  children,
}: {
  name: ConditionName;
  onRemove: () => void;
  children: ReactNode;
}) {
  const title = texts.conditions[name];
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 border-l-2 border-line pl-3">
      <legend className="sr-only">{title}</legend>
      <div className="min-w-0">{children}</div>
      <IconButton label={texts.remove_condition(title)} onClick={onRemove}>
        <X aria-hidden size={15} />
      </IconButton>
    </fieldset>
  );
}

interface FieldsProps extends ConditionsProps {
  name: ConditionName;
}

function ConditionFields({ name, conditions, onChange, issueOf, tiers }: FieldsProps) {
  switch (name) {
    case "intervals":
      return <Intervals conditions={conditions} onChange={onChange} issueOf={issueOf} />;
    case "tiers":
      return <Tiers conditions={conditions} onChange={onChange} issueOf={issueOf} tiers={tiers} />;
    case "payments":
    case "months":
      return (
        <RangeFields
          name={name}
          range={conditions[name] ?? { from: "", to: "" }}
          onChange={(range) => onChange({ [name]: range })}
          issueOf={issueOf}
        />
      );
    case "amount":
      return <AmountFields conditions={conditions} onChange={onChange} issueOf={issueOf} />;
    case "metadata":
      return <MetadataFields conditions={conditions} onChange={onChange} issueOf={issueOf} />;
    case "products":
      return (
        <TextAreaField
          label={texts.product_ids}
          hint={texts.one_per_line}
          dir="ltr"
          spellCheck={false}
          placeholder="prod_…"
          value={conditions.products ?? ""}
          onChange={({ target }) => onChange({ products: target.value })}
          error={issueOfList(name, issueOf)}
        />
      );
    default:
      return (
        <TextField
          label={texts.conditions[name]}
          hint={HINTS[name]}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={conditions[name] ?? ""}
          onChange={({ target }) => onChange({ [name]: target.value })}
          error={issueOfList(name, issueOf)}
        />
      );
  }
}

const HINTS = {
  countries: texts.country_codes,
  currencies: texts.currency_codes,
  promo_codes: texts.codes_hint,
  tags: texts.tags_hint,
};

interface ChoicesProps<Value extends string> {
  title: string;
  hint?: string;
  labels: Record<Value, string>;
  chosen: readonly Value[];
  onChoose: (chosen: Value[]) => void;
  issue: string | undefined;
}

/** Values with a box each. One of the chosen values must match. */
function Choices<Value extends string>({
  title,
  hint,
  labels,
  chosen,
  onChoose,
  issue,
}: ChoicesProps<Value>) {
  return (
    <div className="grid gap-1.5">
      <p className="text-table font-medium">{title}</p>
      <div className="flex flex-wrap gap-x-4">
        {keysOf(labels).map((value) => (
          <Checkbox
            key={value}
            label={labels[value]}
            checked={chosen.includes(value)}
            aria-invalid={issue === undefined ? undefined : true}
            onChange={({ target }) =>
              onChoose(target.checked ? [...chosen, value] : chosen.filter((other) => other !== value))
            }
          />
        ))}
      </div>
      {issue !== undefined && <p className="text-table text-bad">{issue}</p>}
      {hint !== undefined && <p className="text-table text-muted">{hint}</p>}
    </div>
  );
}

function Intervals({ conditions: { intervals = [] }, onChange, issueOf }: FieldProps) {
  return (
    <Choices
      title={texts.conditions.intervals}
      labels={texts.intervals}
      chosen={intervals}
      onChoose={(chosen) => onChange({ intervals: chosen })}
      issue={issueOfList("intervals", issueOf)}
    />
  );
}

/** The campaign's tiers, and those that the rule has from elsewhere. */
function Tiers({ conditions: { tiers: chosen = [] }, onChange, issueOf, tiers }: ConditionsProps) {
  const others = chosen.filter((id) => tiers.every((tier) => tier.id !== id));
  const named = tiers.map(({ id, name }) => [id, name]);
  const labels = Object.fromEntries([...named, ...others.map((id) => [id, texts.unknown_tier])]);
  return (
    <Choices
      title={texts.conditions.tiers}
      hint={tiers.length === 0 ? texts.no_tiers : texts.tiers_hint}
      labels={labels}
      chosen={chosen}
      onChoose={(ids) => onChange({ tiers: ids })}
      issue={issueOfList("tiers", issueOf)}
    />
  );
}

const RANGE_LABELS = { from: texts.first, to: texts.last };
const AMOUNT_LABELS = { from: texts.from, below: texts.below };

const keysOf = <Name extends string>(labels: Record<Name, string>) => Object.keys(labels) as Name[];

function RangeFields({
  name,
  range,
  onChange,
  issueOf,
}: {
  name: "payments" | "months";
  range: RangeDraft;
  onChange: (range: RangeDraft) => void;
  issueOf: FieldProps["issueOf"];
}) {
  return (
    <div className="grid gap-1.5">
      <p className="text-table font-medium">{texts.conditions[name]}</p>
      <div className="grid grid-cols-[repeat(2,minmax(0,112px))] items-start gap-3">
        {keysOf(RANGE_LABELS).map((end) => (
          <TextField
            key={end}
            label={RANGE_LABELS[end]}
            optional
            inputMode="numeric"
            autoComplete="off"
            value={range[end]}
            onChange={({ target }) => onChange({ ...range, [end]: target.value })}
            error={issueOf(`${name}.${end}`)}
          />
        ))}
      </div>
      <p className="text-table text-muted">{name === "payments" ? texts.payments_hint : texts.months_hint}</p>
    </div>
  );
}

function AmountFields({ conditions: { amount }, onChange, issueOf }: FieldProps) {
  if (amount === undefined) return null;
  const set = (part: Partial<typeof amount>) => onChange({ amount: { ...amount, ...part } });
  return (
    <div className="grid gap-1.5">
      <p className="text-table font-medium">{texts.conditions.amount}</p>
      <div className="grid grid-cols-3 items-start gap-3">
        {keysOf(AMOUNT_LABELS).map((end) => (
          <TextField
            key={end}
            label={AMOUNT_LABELS[end]}
            optional
            inputMode="decimal"
            autoComplete="off"
            value={amount[end]}
            onChange={({ target }) => set({ [end]: target.value })}
            error={issueOf(`amount.${end}`)}
          />
        ))}
        <CurrencySelect
          value={amount.currency}
          onChange={(currency) => set({ currency })}
          error={issueOf("amount.currency")}
        />
      </div>
      <p className="text-table text-muted">{texts.amount_hint}</p>
    </div>
  );
}

/** The currencies that the service pays in. */
export function CurrencySelect({
  value,
  onChange,
  error,
}: {
  value: string;
  onChange: (currency: string) => void;
  error: string | undefined;
}) {
  return (
    <SelectField
      label={texts.currency}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      error={error}
    >
      {currencyCodes.map((code) => (
        <option key={code}>{code}</option>
      ))}
    </SelectField>
  );
}

function MetadataFields({ conditions: { metadata }, onChange, issueOf }: FieldProps) {
  if (metadata === undefined) return null;
  return (
    <div className="grid gap-3">
      <p className="text-table font-medium">{texts.conditions.metadata}</p>
      <TextField
        label={texts.metadata_key}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="plan"
        value={metadata.key}
        onChange={({ target }) => onChange({ metadata: { ...metadata, key: target.value } })}
        error={issueOf("metadata.key")}
      />
      <TextAreaField
        label={texts.metadata_values}
        hint={texts.metadata_hint}
        spellCheck={false}
        value={metadata.values}
        onChange={({ target }) => onChange({ metadata: { ...metadata, values: target.value } })}
        error={issueOfList("metadata.values", issueOf)}
      />
    </div>
  );
}
