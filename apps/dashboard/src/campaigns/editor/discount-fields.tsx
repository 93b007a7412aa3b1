import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import { type DiscountDraft, NEW_DRAFT } from "./draft.ts";
import { texts } from "./texts.ts";

interface DiscountFieldsProps {
  /** Undefined in a draft that a tab has from before there were discounts. */
  discount: DiscountDraft | undefined;
  onChange: (discount: DiscountDraft) => void;
  issueOf: (path: string) => string | undefined;
}

/** The discount of visitors who come by an affiliate's link. */
export function DiscountFields({
  discount = NEW_DRAFT.link_discount,
  onChange,
  issueOf,
}: DiscountFieldsProps) {
  const change = (part: Partial<DiscountDraft>) => onChange({ ...discount, ...part });
  return (
    <div className="grid gap-3">
      <Checkbox
        label={texts.link_discount}
        hint={texts.link_discount_hint}
        checked={discount.enabled}
        onChange={({ target }) => change({ enabled: target.checked })}
      />
      {discount.enabled && (
        <>
          <TextField
            label={texts.discount_description}
            hint={texts.discount_description_hint}
            optional
            autoComplete="off"
            placeholder={texts.discount_placeholder}
            value={discount.description}
            onChange={({ target }) => change({ description: target.value })}
            error={issueOf("link_discount.description")}
          />
          <Checkbox
            label={texts.show_affiliate}
            checked={discount.show_affiliate}
            onChange={({ target }) => change({ show_affiliate: target.checked })}
          />
        </>
      )}
    </div>
  );
}
