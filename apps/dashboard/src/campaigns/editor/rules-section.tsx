import { unreachableRules } from "@findersfee/contract/campaigns/rule-reach";
import { FieldGroup } from "@findersfee/ui/components/field";
import { ruleSentence } from "@findersfee/ui/formats/rule-sentence";
import { rule_words } from "@findersfee/ui/formats/rule-words";
import { useSession } from "../../session/session.tsx";
import { numberOf, ruleOf } from "../rules/rule-draft.ts";
import { Reach, RuleList } from "../rules/rule-list.tsx";
import { type CampaignDraft, type DraftFormProps, payingOf, type RateDraft } from "./draft.ts";
import { texts } from "./texts.ts";
import { knownTiers } from "./tier-draft.ts";

/** The rules of a campaign, and its rates, which are rules, too: those after them. */
export function RulesSection({ draft, set, issueOf }: DraftFormProps) {
  const { rules = [] } = draft;
  return (
    <FieldGroup title={texts.rule_list} hint={texts.rule_list_hint}>
      <RuleList
        rules={rules}
        onChange={(changed) => set({ rules: changed })}
        issueOf={(path) => issueOf(`rules${path}`)}
        limit={payingOf(draft)}
        tiers={knownTiers(draft.tiers)}
        excludes={draft.products.some(({ amount }) => numberOf(amount) === 0)}
      />
      {rules.length > 0 && <FieldRules draft={draft} />}
    </FieldGroup>
  );
}

/** A field as a rule. */
interface FieldRule {
  key: string;
  /** The element that has the field. */
  field: string;
  conditions: ReturnType<typeof ruleOf>["conditions"];
  rate: RateDraft;
}

/** The fields in the order in which the service applies them. */
function fieldRules({ first, products, rate }: CampaignDraft): FieldRule[] {
  const of_products = products
    .filter(({ product_id }) => product_id.trim() !== "")
    .map((product) => ({
      key: product.key,
      field: "product-rates",
      conditions: { products: [product.product_id.trim()] },
      rate: product,
    }));
  const excluded = first === null ? [] : of_products.filter((product) => numberOf(product.rate.amount) === 0);
  return [
    ...excluded,
    ...(first === null
      ? []
      : [{ key: "first", field: "first-rate", conditions: { payments: { to: 1 } }, rate: first }]),
    ...of_products.filter((product) => !excluded.includes(product)),
    { key: "rate", field: "campaign-rate", conditions: {}, rate },
  ];
}

function FieldRules({ draft }: { draft: CampaignDraft }) {
  const { organization } = useSession();
  const rules = (draft.rules ?? []).map(ruleOf);
  const fields = fieldRules(draft);
  // The first payment's rate applies to the first commission, which can be for a later payment.
  const placed = fields.map(({ key, conditions }) => ({
    conditions: key === "first" ? {} : conditions,
    reward: { type: "percentage" as const },
  }));
  const reachOf = (index: number) => {
    const field = placed[index];
    if (field === undefined) return null;
    return unreachableRules([...rules, field], { limit: { limit_type: "none", limit_amount: null } }).at(-1);
  };
  return (
    <div className="grid gap-1.5">
      <p className="text-table text-muted">{texts.fields_follow}</p>
      <ul className="grid gap-1 text-table">
        {fields.map(({ key, field, conditions, rate }, index) => {
          const reach = reachOf(index) ?? null;
          return (
            <li key={key}>
              <button
                type="button"
                onClick={() => openField(field)}
                className="text-left text-accent underline underline-offset-2 wrap-anywhere"
              >
                {ruleSentence({ conditions, reward: rewardOf(rate, organization.currency) }, rule_words)}
              </button>
              {reach !== null && <Reach reach={reach} />}
            </li>
          );
        })}
        {draft.limit_type !== "none" && (
          <li>
            <button
              type="button"
              onClick={() => openField("limit")}
              className="text-left text-accent underline underline-offset-2"
            >
              {texts.limit_rule(draft.limit_type, draft.limit_amount)}
            </button>
          </li>
        )}
      </ul>
    </div>
  );
}

function rewardOf({ type, amount }: RateDraft, currency: string) {
  const value = numberOf(amount);
  if (value === 0) return { type: "nothing" as const, amount: null, amounts: [] };
  if (type === "percentage") return { type, amount: value, amounts: [] };
  return { type, amount: null, amounts: [{ currency, amount: value }] };
}

function openField(id: string): void {
  const place = document.getElementById(id);
  place?.scrollIntoView({ block: "center" });
  place?.querySelector<HTMLElement>("input, select")?.focus({ preventScroll: true });
}
