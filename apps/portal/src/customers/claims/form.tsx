import { MAX_CLAIM_NOTE, MAX_CLAIMS_PER_DAY } from "@findersfee/contract/customers/claim-limits";
import { emailIssue } from "@findersfee/contract/email-issue";
import { Button } from "@findersfee/ui/components/button";
import { useClock } from "@findersfee/ui/components/clock";
import { TextAreaField, TextField } from "@findersfee/ui/components/controls";
import { Notice } from "@findersfee/ui/components/notice";
import { formatDateTime, formatDay } from "@findersfee/ui/formats/dates";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { FormFailure } from "../../identity/sign-in/form-failure.tsx";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import { possibleFrom } from "./limit.ts";
import { type Claim, ownClaimsQuery } from "./queries.ts";

const FIELDS = ["email", "paid_on", "note"] as const;

type Field = (typeof FIELDS)[number];

type Problem = "email_missing" | "email_invalid" | "day_missing" | "day_future" | "note_missing";

/** The form for a missing sale. Its answer says at once whether a payment of the address is known. */
export function ClaimForm({ claims: own }: { claims: readonly Claim[] }) {
  const { claims } = useTexts();
  const clock = useClock();
  const form = useRef<HTMLFormElement>(null);
  const [problems, setProblems] = useState<Partial<Record<Field, Problem>>>({});
  const { mutate, data, isPending, error, reset } = useReport(() => form.current?.reset());
  const failure = error === null ? null : failureOf(error);
  const from = possibleFrom(own, Date.now());
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isPending) return;
    const found = problemsOf(event.currentTarget);
    setProblems(found);
    const first = FIELDS.find((field) => found[field] !== undefined);
    if (first !== undefined) {
      (event.currentTarget.elements.namedItem(first) as HTMLElement | null)?.focus();
      return;
    }
    const text = new FormData(event.currentTarget);
    const read = (field: Field) => String(text.get(field) ?? "").trim();
    reset();
    mutate({ email: read("email"), paid_on: read("paid_on"), note: read("note") });
  };
  const errorOf = (field: Field): string | undefined => {
    const problem = problems[field] ?? refusedBy(failure?.issues.map(({ path }) => path) ?? [], field);
    return problem === undefined ? undefined : claims[problem];
  };
  return (
    <>
      {data !== undefined && <Answer claim={data} />}
      {from !== null ? (
        <Notice tone="info" title={claims.limit_reached(MAX_CLAIMS_PER_DAY, formatDateTime(from, clock))} />
      ) : (
        <form ref={form} onSubmit={submit} noValidate className="grid grid-cols-1 gap-5">
          <Fields errorOf={errorOf} />
          <FormFailure failure={failure !== null && failure.issues.length === 0 ? failure : null} />
          <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
            <Button look="solid" type="submit" busy={isPending}>
              {claims.send}
            </Button>
            <p className="text-table text-muted">{claims.limit(MAX_CLAIMS_PER_DAY)}</p>
          </div>
        </form>
      )}
    </>
  );
}

function Fields({ errorOf }: { errorOf: (field: Field) => string | undefined }) {
  const { claims } = useTexts();
  return (
    <>
      <div className="grid grid-cols-1 gap-5 tablet:grid-cols-[minmax(0,1fr)_200px]">
        <TextField
          label={claims.email}
          name="email"
          inputMode="email"
          autoComplete="off"
          hint={claims.email_hint}
          error={errorOf("email")}
          required
        />
        <TextField
          label={claims.day}
          name="paid_on"
          type="date"
          max={localDay(new Date())}
          error={errorOf("paid_on")}
          required
        />
      </div>
      <TextAreaField
        label={claims.note}
        name="note"
        maxLength={MAX_CLAIM_NOTE}
        hint={claims.note_hint}
        error={errorOf("note")}
        required
      />
    </>
  );
}

/** That the report has arrived. Nobody learns from it whether the address pays. */
function Answer({ claim: { email, paid_on } }: { claim: Claim }) {
  const { claims } = useTexts();
  const clock = useClock();
  const { program } = useSession();
  const day = formatDay(new Date(paid_on), { ...clock, time_zone: "UTC" });
  return (
    <div className="pb-6">
      <Notice tone="good" title={claims.received} alert>
        <span dir="auto" className="wrap-anywhere">
          {claims.received_hint(email, day, program.organization_name)}
        </span>
      </Notice>
    </div>
  );
}

function useReport(onReported: () => void) {
  const session = useSession();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (claim: Record<Field, string>) => session.api.claims.create.mutate(claim),
    onSuccess: onReported,
    // After a refusal, too: another tab may have used up the day's limit.
    onSettled: () => client.invalidateQueries({ queryKey: ownClaimsQuery(session).queryKey }),
  });
}

/** A field that the service refused, though the page did not. */
function refusedBy(paths: readonly string[], field: Field): Problem | undefined {
  if (!paths.includes(field)) return undefined;
  return ({ email: "email_invalid", paid_on: "day_future", note: "note_missing" } as const)[field];
}

function problemsOf(form: HTMLFormElement): Partial<Record<Field, Problem>> {
  const control = (field: Field) => form.elements.namedItem(field) as HTMLInputElement | HTMLTextAreaElement;
  const problems: Partial<Record<Field, Problem>> = {};
  const email = control("email").value.trim();
  if (email === "") problems.email = "email_missing";
  else if (emailIssue(email) !== null) problems.email = "email_invalid";
  const day = control("paid_on").validity;
  if (day.rangeOverflow) problems.paid_on = "day_future";
  else if (!day.valid) problems.paid_on = "day_missing";
  if (control("note").value.trim() === "") problems.note = "note_missing";
  return problems;
}

/** A day in the reader's zone, as fields of days have it. */
function localDay(date: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}
