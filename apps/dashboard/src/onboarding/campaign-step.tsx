import { Button, ButtonLink } from "@findersfee/ui/components/button";
import { TextField } from "@findersfee/ui/components/controls";
import { Failure } from "@findersfee/ui/components/notice";
import { formatMoney } from "@findersfee/ui/formats/money";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Session, useSession } from "../session/session.tsx";
import { texts } from "./texts.ts";

const PRICE = 49;

/** Creates the first campaign with three fields. */
export function CampaignStep() {
  const { organization, home } = useSession();
  const [rate, setRate] = useState("30");
  const [months, setMonths] = useState("12");
  const [wrong, setWrong] = useState<"rate" | "months" | null>(null);
  const { create, busy, failure } = useCreateCampaign();
  const issueOf = (field: string) => failure?.issues.find(({ path }) => path === field)?.message;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const percent = percentOf(rate);
    const limit = limitOf(months);
    setWrong(percent === null ? "rate" : limit === null ? "months" : null);
    if (percent === null || limit === null) return;
    create({
      name: texts.campaign_name,
      commission_type: "percentage",
      commission_amount: percent,
      code_mode: "link",
      is_default: true,
      website_url: withProtocol(String(new FormData(event.currentTarget).get("website_url") ?? "")),
      ...limit,
    });
  };
  return (
    <form onSubmit={submit} className="grid max-w-140 gap-4" noValidate>
      <div className="grid items-start gap-x-3 gap-y-4 wide:grid-cols-[minmax(0,1fr)_112px]">
        <TextField
          label={texts.rate}
          name="commission_amount"
          inputMode="decimal"
          autoComplete="off"
          suffix={texts.percent}
          value={rate}
          onChange={({ target }) => setRate(target.value)}
          error={wrong === "rate" ? texts.bad_rate : issueOf("commission_amount")}
        />
        <TextField
          label={texts.months}
          name="limit_amount"
          inputMode="numeric"
          autoComplete="off"
          value={months}
          onChange={({ target }) => setMonths(target.value)}
          error={wrong === "months" ? texts.bad_months : issueOf("limit_amount")}
        />
      </div>
      <TextField
        label={texts.website}
        name="website_url"
        type="url"
        dir="ltr"
        placeholder="https://example.com"
        autoComplete="url"
        error={issueOf("website_url")}
      />
      <Example rate={rate} months={months} currency={organization.currency} />
      {failure !== null && failure.issues.length === 0 && (
        <Failure message={failure.message} request_id={failure.request_id} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button look="solid" type="submit" busy={busy}>
          {texts.create_campaign}
        </Button>
        <ButtonLink look="quiet" to={`${home}/campaigns/new`}>
          {texts.all_settings}
        </ButtonLink>
      </div>
    </form>
  );
}

type NewCampaign = Parameters<Session["api"]["campaigns"]["create"]["mutate"]>[0];

function useCreateCampaign() {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (input: NewCampaign) => api.campaigns.create.mutate(input),
    onSuccess: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: [organization.id, "onboarding"] }),
        client.invalidateQueries({ queryKey: [organization.id, "campaigns"] }),
      ]),
  });
  const failure = error === null ? null : failureOf(error);
  return { create: (input: NewCampaign) => mutate(input), busy: isPending, failure };
}

/** The rule as a sentence. The service computes real commissions. */
function Example({ rate, months, currency }: { rate: string; months: string; currency: string }) {
  const percent = percentOf(rate);
  if (percent === null) return null;
  const limit = limitOf(months);
  return (
    <p className="text-table text-muted">
      {texts.example(
        formatMoney(PRICE, currency),
        formatMoney((PRICE * percent) / 100, currency),
        limit?.limit_type === "months" ? texts.for_months(limit.limit_amount) : "",
      )}
    </p>
  );
}

/** Without a number, commissions have no end; null if the text is no number of months. */
function limitOf(
  text: string,
): { limit_type: "none" } | { limit_type: "months"; limit_amount: number } | null {
  if (text.trim() === "") return { limit_type: "none" };
  const months = Number(text);
  return Number.isInteger(months) && months > 0 ? { limit_type: "months", limit_amount: months } : null;
}

function percentOf(text: string): number | null {
  const percent = Number(text.trim().replace(",", ".").replace(/%$/, ""));
  return percent > 0 && percent <= 100 ? percent : null;
}

/** People type `example.com`. */
function withProtocol(typed: string): string {
  const url = typed.trim();
  return url === "" || /^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`;
}
