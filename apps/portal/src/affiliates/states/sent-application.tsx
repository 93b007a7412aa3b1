import { Button } from "@findersfee/ui/components/button";
import { Time } from "@findersfee/ui/components/values";
import { draftKey, readDraft } from "@findersfee/ui/forms/draft-store";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { type ReactNode, Suspense, useState } from "react";
import { useLanguage, useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import type { Application } from "./application.ts";

/** Loaded when it is opened. */
const EditForm = lazyPart(() => import("./edit-form.tsx"), "EditForm");

/** The sent application. It can be edited until it is decided. */
export function SentApplication({ sent, is_waiting }: { sent: Application; is_waiting: boolean }) {
  const { language, texts } = useLanguage();
  const { join, states } = texts;
  const { details_text, translations } = sent.campaign;
  const answers = sent.answers.map((answer) => answer.translations[language] ?? answer);
  const { me, program } = useSession();
  const { affiliate_id } = program;
  const [step, setStep] = useState<"shown" | "edited" | "saved">(() =>
    readDraft(draftKey(affiliate_id)) === null ? "shown" : "edited",
  );
  if (is_waiting && step === "edited") {
    return (
      <Suspense>
        <EditForm sent={sent} onSaved={() => setStep("saved")} onCancel={() => setStep("shown")} />
      </Suspense>
    );
  }
  return (
    <section className="min-w-0 rounded-card border border-line p-4">
      <header className="flex min-h-11 items-center justify-between gap-3">
        <h2 className="font-semibold">{states.sent}</h2>
        {is_waiting && (
          <fieldset disabled={me.by_staff} className="affiliate-only">
            <Button onClick={() => setStep("edited")}>{states.edit}</Button>
          </fieldset>
        )}
      </header>
      <p role="status" className="text-table text-good empty:hidden">
        {step === "saved" && states.saved}
      </p>
      <dl className="mt-2 grid gap-3">
        <Sent label={states.name}>
          {`${sent.application.first_name} ${sent.application.last_name}`.trim()}
        </Sent>
        <Sent label={join.email}>{sent.email}</Sent>
        {answers.map(({ label, value }, index) => (
          <Sent key={index} label={label}>
            {value}
          </Sent>
        ))}
        {sent.application.details !== null && (
          <Sent label={(translations[language]?.details_text ?? details_text)?.trim() || join.details}>
            {sent.application.details}
          </Sent>
        )}
        <Sent label={states.sent_at}>
          <Time at={sent.sent_at} />
        </Sent>
      </dl>
    </section>
  );
}

function Sent({ label, children }: { label: string; children: ReactNode }) {
  const { states } = useTexts();
  return (
    <div className="min-w-0">
      <dt dir="auto" className="line-clamp-3 text-table text-muted wrap-anywhere">
        {label}
      </dt>
      <dd dir="auto" className="max-h-60 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
        {children === "" ? states.nothing : children}
      </dd>
    </div>
  );
}
