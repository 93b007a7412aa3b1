import { Button, IconButton } from "@findersfee/ui/components/button";
import { SelectField, TextField } from "@findersfee/ui/components/controls";
import { Plus, Trash2 } from "lucide-react";
import { newKey } from "../../requests/new-key.ts";
import { useSession } from "../../session/session.tsx";
import type { ProductDraft, RateDraft, RateType } from "./draft.ts";
import { texts } from "./texts.ts";
import { words } from "./words.ts";

interface RateFieldsProps {
  rate: RateDraft;
  onChange: (rate: RateDraft) => void;
  label: string;
  hint?: string;
  error: string | undefined;
}

/** A percentage, or an amount in the organization's currency. */
export function RateFields({ rate, onChange, label, hint, error }: RateFieldsProps) {
  const { organization } = useSession();
  return (
    <div className="grid grid-cols-[minmax(0,160px)_minmax(0,1fr)] items-start gap-3">
      <SelectField
        label={texts.kind}
        value={rate.type}
        onChange={({ target }) => onChange({ ...rate, type: target.value as RateType })}
      >
        {Object.entries(words.kinds).map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={label}
        hint={hint}
        inputMode="decimal"
        autoComplete="off"
        value={rate.amount}
        onChange={({ target }) => onChange({ ...rate, amount: target.value })}
        suffix={rate.type === "percentage" ? texts.percent : organization.currency}
        error={error}
      />
    </div>
  );
}

interface ProductRatesProps {
  products: readonly ProductDraft[];
  onChange: (products: ProductDraft[]) => void;
  issueOf: (path: string) => string | undefined;
}

/** Products with rates of their own. */
export function ProductRates({ products, onChange, issueOf }: ProductRatesProps) {
  const set = (key: string, part: Partial<ProductDraft>) =>
    onChange(products.map((product) => (product.key === key ? { ...product, ...part } : product)));
  const add = () =>
    onChange([...products, { key: newKey(), product_id: "", type: "percentage", amount: "" }]);
  return (
    <div className="grid gap-4">
      {products.map((product, index) => (
        <div key={product.key} className="grid gap-3 rounded-card border border-line p-3">
          <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3">
            <TextField
              label={texts.product_id}
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              placeholder="prod_…"
              value={product.product_id}
              onChange={({ target }) => set(product.key, { product_id: target.value })}
              error={issueOf(`custom_commissions[${index}].product_id`)}
            />
            <IconButton
              label={texts.remove_product(product.product_id)}
              onClick={() => onChange(products.filter(({ key }) => key !== product.key))}
              className="mt-[26px]"
            >
              <Trash2 aria-hidden size={15} />
            </IconButton>
          </div>
          <RateFields
            rate={product}
            onChange={(rate) => set(product.key, rate)}
            label={texts.amount}
            error={issueOf(`custom_commissions[${index}].amount`)}
          />
        </div>
      ))}
      <div>
        <Button onClick={add}>
          <Plus aria-hidden size={14} />
          {texts.add_product}
        </Button>
      </div>
    </div>
  );
}
