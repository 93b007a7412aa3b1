import { Button, IconButton } from "@findersfee/ui/components/button";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { Plus, Trash2 } from "lucide-react";
import { newKey } from "../../requests/new-key.ts";
import { useSession } from "../../session/session.tsx";
import type { LeadDraft } from "./draft.ts";
import { texts } from "./texts.ts";

interface LeadFieldsProps {
  leads: readonly LeadDraft[];
  onChange: (leads: LeadDraft[]) => void;
  issueOf: (path: string) => string | undefined;
}

const AUTOMATIC = ["signup", "trial"] as const;

const choiceOf = (kind: string) => AUTOMATIC.find((automatic) => automatic === kind) ?? "named";

/** The fixed commissions for sign-ups, trials and conversions. */
export function LeadFields({ leads, onChange, issueOf }: LeadFieldsProps) {
  const set = (key: string, part: Partial<LeadDraft>) =>
    onChange(leads.map((lead) => (lead.key === key ? { ...lead, ...part } : lead)));
  const free = AUTOMATIC.find((automatic) => leads.every(({ kind }) => kind !== automatic));
  const add = () => onChange([...leads, { key: newKey(), kind: free ?? "", amount: "", daily_limit: "" }]);
  return (
    <div className="grid gap-4">
      {leads.map((lead, index) => (
        <div key={lead.key} className="grid gap-3 rounded-card border border-line p-3">
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3">
            <KindFields
              lead={lead}
              onChange={(kind) => set(lead.key, { kind })}
              error={issueOf(`lead_commissions[${index}].kind`)}
            />
            <IconButton
              label={texts.remove_lead(lead.kind)}
              onClick={() => onChange(leads.filter(({ key }) => key !== lead.key))}
              className="mt-[26px]"
            >
              <Trash2 aria-hidden size={15} />
            </IconButton>
          </div>
          <AmountFields
            lead={lead}
            onChange={(part) => set(lead.key, part)}
            issueOf={(field) => issueOf(`lead_commissions[${index}].${field}`)}
          />
        </div>
      ))}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={14} />
          {texts.add_lead}
        </Button>
      </div>
    </div>
  );
}

function KindFields({
  lead: { kind },
  onChange,
  error,
}: {
  lead: LeadDraft;
  onChange: (kind: string) => void;
  error: string | undefined;
}) {
  const choice = choiceOf(kind);
  const is_named = choice === "named";
  return (
    <div className={`grid items-start gap-3 ${is_named ? "grid-cols-[minmax(0,160px)_minmax(0,1fr)]" : ""}`}>
      <SelectField
        label={texts.lead_kind}
        value={choice}
        onChange={({ target }) => onChange(target.value === "named" ? "" : target.value)}
        error={is_named ? undefined : error}
      >
        {Object.entries(texts.lead_kinds).map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      {is_named && (
        <TextField
          label={texts.lead_name}
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          placeholder="demo_booked"
          value={kind}
          onChange={({ target }) => onChange(target.value)}
          error={error}
        />
      )}
    </div>
  );
}

function AmountFields({
  lead,
  onChange,
  issueOf,
}: {
  lead: LeadDraft;
  onChange: (part: Partial<LeadDraft>) => void;
  issueOf: (field: string) => string | undefined;
}) {
  const { organization } = useSession();
  return (
    <div className="grid grid-cols-2 items-start gap-3 max-phone:grid-cols-1">
      <TextField
        label={texts.commission}
        inputMode="decimal"
        autoComplete="off"
        value={lead.amount}
        onChange={({ target }) => onChange({ amount: target.value })}
        suffix={organization.currency}
        error={issueOf("amount")}
      />
      <TextField
        label={texts.daily_limit}
        hint={texts.daily_limit_hint}
        inputMode="numeric"
        autoComplete="off"
        value={lead.daily_limit}
        onChange={({ target }) => onChange({ daily_limit: target.value })}
        error={issueOf("daily_limit")}
      />
    </div>
  );
}
