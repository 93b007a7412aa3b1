import { Button } from "@findersfee/ui/components/button";
import { Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Suspense, useState } from "react";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { account } from "../../requests/account.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { meQuery } from "../../session/session.tsx";
import { accountKey, credentialsQuery } from "./queries.ts";
import { RecoveryCodesDialog } from "./recovery-codes.tsx";
import { useSensitive } from "./sensitive.tsx";
import { texts } from "./texts.ts";

/** Few recovery codes are left. */
const FEW = 3;

/** With the code that draws QR codes. */
const SetUpDialog = lazyPart(() => import("./set-up-second-factor.tsx"), "SetUpDialog");

type Asked = "set up" | "replace" | "remove" | null;

export function SecondFactor() {
  const { data, error, refetch } = useQuery(credentialsQuery);
  const client = useQueryClient();
  const [asked, setAsked] = useState<Asked>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const close = () => setAsked(null);
  const refresh = () => {
    void client.invalidateQueries({ queryKey: accountKey });
    void client.invalidateQueries(meQuery);
  };
  return (
    <Section title={texts.second_factor} hint={texts.second_factor_hint}>
      {error !== null && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {data !== undefined &&
        (data.has_second_factor ? (
          <IsOn left={data.recovery_codes_left} onAsk={setAsked} />
        ) : (
          <div>
            <Button onClick={() => setAsked("set up")}>{texts.set_up}</Button>
          </div>
        ))}
      {asked === "set up" && (
        <Suspense fallback={null}>
          <SetUpDialog
            onClose={close}
            onDone={(recovery_codes) => {
              close();
              setCodes(recovery_codes);
              refresh();
            }}
          />
        </Suspense>
      )}
      <Dialogs asked={asked} onClose={close} onCodes={setCodes} onRemoved={refresh} />
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(null)} />
    </Section>
  );
}

function IsOn({ left, onAsk }: { left: number; onAsk: (asked: Asked) => void }) {
  return (
    <>
      <div className="grid gap-1">
        <State tone="done">{texts.second_factor_on}</State>
        {left <= FEW ? (
          <State tone="warning">{texts.codes_left(left)}</State>
        ) : (
          <p className="text-table text-muted">{texts.codes_left(left)}</p>
        )}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => onAsk("replace")}>{texts.new_codes}</Button>
        <Button look="danger" onClick={() => onAsk("remove")}>
          {texts.turn_off}
        </Button>
      </div>
    </>
  );
}

interface DialogsProps {
  asked: Asked;
  onClose: () => void;
  onCodes: (codes: readonly string[]) => void;
  onRemoved: () => void;
}

function Dialogs({ asked, onClose, onCodes, onRemoved }: DialogsProps) {
  const runSensitive = useSensitive();
  return (
    <>
      <FormDialog
        open={asked === "replace"}
        onClose={onClose}
        title={texts.new_codes}
        confirm={texts.make_codes}
        changes={accountKey}
        run={() => runSensitive(() => account.second_factor.replace_codes.mutate({}))}
        onDone={({ recovery_codes }) => onCodes(recovery_codes)}
      >
        <p>{texts.new_codes_hint}</p>
      </FormDialog>
      <FormDialog
        open={asked === "remove"}
        onClose={onClose}
        title={texts.turn_off_title}
        confirm={texts.turn_off}
        look="danger"
        done={texts.turned_off}
        changes={accountKey}
        run={() => runSensitive(() => account.second_factor.remove.mutate({}))}
        onDone={onRemoved}
      >
        <p>{texts.turn_off_hint}</p>
      </FormDialog>
    </>
  );
}
