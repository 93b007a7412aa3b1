import { Checkbox, RadioField, SelectField, TextField } from "@findersfee/ui/components/controls";
import { FieldGroup } from "@findersfee/ui/components/field";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Suspense } from "react";
import { useSession } from "../../session/session.tsx";
import type { CampaignDraft, DraftFormProps } from "./draft.ts";
import { ProductRates, RateFields } from "./rate-fields.tsx";
import { texts } from "./texts.ts";
import { words } from "./words.ts";

const DiscountFields = lazyPart(() => import("./discount-fields.tsx"), "DiscountFields");

const LeadFields = lazyPart(() => import("./lead-fields.tsx"), "LeadFields");

const RecruitingFields = lazyPart(() => import("./recruiting-fields.tsx"), "RecruitingFields");

const RulesSection = lazyPart(() => import("./rules-section.tsx"), "RulesSection");

const SignalFields = lazyPart(() => import("./signal-fields.tsx"), "SignalFields");

const TierFields = lazyPart(() => import("./tier-fields.tsx"), "TierFields");

const choicesOf = (labels: Record<string, string>) =>
  Object.entries(labels).map(([value, label]) => ({ value, label }));

const optionsOf = (labels: Record<string, string>) =>
  choicesOf(labels).map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));

export interface RulesFormProps extends DraftFormProps {
  /** No payment can have earned by the rules. */
  is_new?: boolean;
}

/** The commission of a campaign, and the payments that earn it. */
export function RulesForm(props: RulesFormProps) {
  const { draft, set, issueOf } = props;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-8">
      <div className="grid gap-5 border-b border-line pb-8">
        <TextField
          label={texts.name}
          autoComplete="off"
          placeholder={texts.name_placeholder}
          value={draft.name}
          onChange={({ target }) => set({ name: target.value })}
          error={issueOf("name")}
        />
        <Checkbox
          label={texts.is_default}
          hint={texts.is_default_hint}
          checked={draft.is_default}
          onChange={({ target }) => set({ is_default: target.checked })}
        />
      </div>
      <Earning {...props} />
      <Suspense>
        <RulesSection draft={draft} set={set} issueOf={issueOf} />
        <TierFields {...props} />
        <RecruitingFields {...props} />
      </Suspense>
      <Referring {...props} />
      <Review {...props} />
      <Suspense>
        <SignalFields {...props} />
      </Suspense>
      <FieldGroup title={texts.joining}>
        <Checkbox
          label={texts.approval_needed}
          checked={draft.approval_needed}
          onChange={({ target }) => set({ approval_needed: target.checked })}
        />
      </FieldGroup>
    </div>
  );
}

function Earning({ draft, set, issueOf, is_new = false }: RulesFormProps) {
  return (
    <FieldGroup title={texts.earning} {...(is_new ? {} : { hint: texts.earning_hint })}>
      <div id="campaign-rate">
        <RateFields
          rate={draft.rate}
          onChange={(rate) => set({ rate })}
          label={texts.commission}
          error={issueOf("commission_amount")}
        />
      </div>
      <div id="first-rate" className="grid gap-3">
        <Checkbox
          label={texts.first}
          checked={draft.first !== null}
          onChange={({ target }) => set({ first: target.checked ? { ...draft.rate } : null })}
        />
        {draft.first !== null && (
          <RateFields
            rate={draft.first}
            onChange={(first) => set({ first })}
            label={texts.first_rate}
            error={issueOf("first_payment_commission.amount")}
          />
        )}
      </div>
      <LimitFields draft={draft} set={set} issueOf={issueOf} />
      <div id="product-rates" className="grid gap-3">
        <div>
          <h3 className="text-table font-medium">{texts.products}</h3>
          <p className="text-table text-muted">{texts.products_hint}</p>
        </div>
        <ProductRates
          products={draft.products}
          onChange={(products) => set({ products })}
          issueOf={issueOf}
        />
      </div>
      <div>
        <Checkbox
          label={texts.commission_cap}
          checked={draft.commission_cap}
          onChange={({ target }) => set({ commission_cap: target.checked })}
        />
        <Checkbox
          label={texts.skip_prorations}
          checked={draft.skip_prorations}
          onChange={({ target }) => set({ skip_prorations: target.checked })}
        />
      </div>
      <div className="grid gap-3">
        <div>
          <h3 className="text-table font-medium">{texts.leads}</h3>
          <p className="text-table text-muted">{texts.leads_hint}</p>
        </div>
        <Suspense>
          <LeadFields leads={draft.leads ?? []} onChange={(leads) => set({ leads })} issueOf={issueOf} />
        </Suspense>
      </div>
    </FieldGroup>
  );
}

/** How long a customer's payments earn a commission. */
function LimitFields({ draft, set, issueOf }: DraftFormProps) {
  return (
    <div
      id="limit"
      className={`grid items-start gap-3 ${draft.limit_type === "none" ? "" : "grid-cols-[minmax(0,1fr)_112px]"}`}
    >
      <SelectField
        label={texts.limit}
        hint={draft.limit_type === "months" ? texts.limit_hint : undefined}
        value={draft.limit_type}
        onChange={({ target }) => set({ limit_type: target.value as CampaignDraft["limit_type"] })}
      >
        {optionsOf(words.limits)}
      </SelectField>
      {draft.limit_type !== "none" && (
        <TextField
          label={texts.limit_amounts[draft.limit_type]}
          inputMode="numeric"
          autoComplete="off"
          value={draft.limit_amount}
          onChange={({ target }) => set({ limit_amount: target.value })}
          error={issueOf("limit_amount")}
        />
      )}
    </div>
  );
}

/** Which commissions wait for a person before they are paid. */
function Review({ draft, set, issueOf }: RulesFormProps) {
  const { review = "none", review_above_amount = "", review_approve_after_days = "" } = draft;
  const { organization } = useSession();
  const is_on = review !== "none" || review_above_amount.trim() !== "";
  return (
    <FieldGroup title={texts.review} hint={texts.review_hint}>
      <SelectField
        label={texts.reviewed}
        hint={review === "first" ? texts.review_first_hint : undefined}
        value={review}
        onChange={({ target }) => set({ review: target.value as CampaignDraft["review"] })}
      >
        {optionsOf(words.reviews)}
      </SelectField>
      {review !== "all" && (
        <TextField
          label={texts.review_above}
          hint={texts.review_above_hint}
          inputMode="decimal"
          autoComplete="off"
          suffix={organization.currency}
          value={review_above_amount}
          onChange={({ target }) => set({ review_above_amount: target.value })}
          error={issueOf("review_above_amount")}
        />
      )}
      {is_on && (
        <TextField
          label={texts.review_days}
          hint={texts.review_days_hint}
          inputMode="numeric"
          autoComplete="off"
          value={review_approve_after_days}
          onChange={({ target }) => set({ review_approve_after_days: target.value })}
          error={issueOf("review_approve_after_days")}
        />
      )}
    </FieldGroup>
  );
}

function Referring({ draft, set, issueOf }: DraftFormProps) {
  const { code_mode } = draft;
  return (
    <FieldGroup title={texts.referring}>
      <RadioField
        label={texts.code_mode}
        name="code_mode"
        choices={choicesOf(words.code_modes)}
        chosen={code_mode}
        onChoose={(value) => set({ code_mode: value as CampaignDraft["code_mode"] })}
      />
      <TextField
        label={texts.website}
        hint={texts.website_hint}
        optional={code_mode === "coupon"}
        type="url"
        dir="ltr"
        autoComplete="url"
        placeholder="https://example.com"
        value={draft.website_url}
        onChange={({ target }) => set({ website_url: target.value })}
        error={issueOf("website_url")}
      />
      {code_mode !== "link" && <CouponFields draft={draft} set={set} issueOf={issueOf} />}
      {code_mode !== "coupon" && (
        <div className="grid grid-cols-[144px_minmax(0,1fr)] items-start gap-3">
          <TextField
            label={texts.cookie}
            inputMode="numeric"
            autoComplete="off"
            suffix={texts.days}
            value={draft.cookie_duration}
            onChange={({ target }) => set({ cookie_duration: target.value })}
            error={issueOf("cookie_duration")}
          />
          <SelectField
            label={texts.attribution}
            value={draft.attribution}
            onChange={({ target }) => set({ attribution: target.value as CampaignDraft["attribution"] })}
          >
            {optionsOf(words.attributions)}
          </SelectField>
        </div>
      )}
      <SelectField
        label={texts.customers}
        value={draft.customers}
        onChange={({ target }) => set({ customers: target.value as CampaignDraft["customers"] })}
      >
        {optionsOf(words.customer_scopes)}
      </SelectField>
    </FieldGroup>
  );
}

/** The coupon of promo codes, and whether it applies by link, too. */
function CouponFields({ draft, set, issueOf }: DraftFormProps) {
  return (
    <>
      <TextField
        label={texts.coupon}
        hint={texts.coupon_hint}
        dir="ltr"
        autoComplete="off"
        value={draft.reference_coupon}
        onChange={({ target }) => set({ reference_coupon: target.value })}
        error={issueOf("reference_coupon")}
      />
      {draft.code_mode === "both" && (
        <Suspense>
          <DiscountFields
            discount={draft.link_discount}
            onChange={(link_discount) => set({ link_discount })}
            issueOf={issueOf}
          />
        </Suspense>
      )}
    </>
  );
}
