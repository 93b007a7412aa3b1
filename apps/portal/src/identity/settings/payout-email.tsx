import { Button } from "@findersfee/ui/components/button";
import { Section } from "@findersfee/ui/components/section";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { useTexts } from "../../language/language.tsx";
import { useSession } from "../../session/session.tsx";
import { FormFailure } from "../sign-in/form-failure.tsx";
import { Done } from "./done.tsx";
import { type Settings, settingsQuery } from "./queries.ts";
import { useAction } from "./use-action.ts";

/* Loaded with the first change. */
const NewAddress = lazyPart(() => import("./new-address.tsx"), "NewAddress");
const PayoutCode = lazyPart(() => import("./payout-code.tsx"), "PayoutCode");

type Step = "shown" | "address" | "code" | "confirmed";

/** The address that payouts are sent to. Another one counts once the code that was mailed to it is entered. */
export function PayoutEmail({ settings: stored }: { settings: Settings }) {
  const { settings } = useTexts();
  const { me, program, api } = useSession();
  const client = useQueryClient();
  const { payout_email, pending_payout_email } = stored;
  const [step, setStep] = useState<Step>(pending_payout_email === null ? "shown" : "code");
  const refresh = async () => {
    await client.invalidateQueries({ queryKey: settingsQuery(api, program.affiliate_id).queryKey });
    await client.invalidateQueries({ queryKey: ["program"] });
  };
  const clearing = useAction(async () => {
    await api.settings.clear_payout_email.mutate({});
    await refresh();
    setStep("confirmed");
  });
  return (
    <Section title={settings.payout_email} hint={settings.payout_email_hint}>
      <div>
        <p dir="auto" className="text-left font-medium wrap-anywhere">
          {payout_email ?? me.email}
        </p>
        {payout_email === null && <p className="text-table text-muted">{settings.payout_email_default}</p>}
      </div>
      {(step === "shown" || step === "confirmed") && (
        <div className="flex flex-wrap items-center gap-3">
          <Button onClick={() => setStep("address")}>{settings.change_address}</Button>
          {payout_email !== null && (
            <Button busy={clearing.busy} onClick={() => void clearing.run()}>
              {settings.use_sign_in_address}
            </Button>
          )}
          <Done text={step === "confirmed" ? settings.payout_email_changed : null} />
        </div>
      )}
      <FormFailure failure={clearing.failure} />
      <Suspense>
        {step === "address" && (
          <NewAddress
            onSent={async () => {
              await refresh();
              setStep("code");
            }}
            onCancel={() => setStep("shown")}
          />
        )}
        {step === "code" && (
          <PayoutCode
            email={pending_payout_email}
            onConfirmed={async () => {
              await refresh();
              setStep("confirmed");
            }}
            onRefused={refresh}
            onOther={() => setStep("address")}
            onCancel={() => setStep("shown")}
          />
        )}
      </Suspense>
    </Section>
  );
}
