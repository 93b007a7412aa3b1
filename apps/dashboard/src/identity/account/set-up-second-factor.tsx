import { Checkbox, TextField } from "@findersfee/ui/components/controls";
import { CopyButton } from "@findersfee/ui/components/copy";
import { QrCode } from "@findersfee/ui/components/qr-code";
import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { useQuery } from "@tanstack/react-query";
import { FormDialog } from "../../dialogs/form-dialog.tsx";
import { account } from "../../requests/account.ts";
import { isCanceled } from "../../requests/canceled.ts";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { accountKey, sessionsQuery } from "./queries.ts";
import { useSensitive } from "./sensitive.tsx";
import { texts } from "./texts.ts";

/** Connects an authenticator app: shows its secret, and asks for a code of the app. */
export function SetUpDialog({
  onClose,
  onDone,
}: {
  onClose: () => void;
  onDone: (recovery_codes: readonly string[]) => void;
}) {
  const runSensitive = useSensitive();
  const { data: sessions } = useQuery(sessionsQuery);
  const others = sessions?.filter(({ is_current }) => !is_current).length ?? 0;
  const { data, error, refetch } = useQuery({
    queryKey: ["second factor secret"],
    queryFn: async () => {
      try {
        return await runSensitive(() => account.second_factor.start.mutate({}));
      } catch (failed) {
        if (isCanceled(failed)) onClose();
        throw failed;
      }
    },
    // Each request makes another secret; nothing keeps it when the dialog is closed.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return (
    <FormDialog
      open
      onClose={onClose}
      title={texts.set_up_title}
      confirm={texts.turn_on}
      changes={accountKey}
      fields={["code"]}
      run={(form) =>
        runSensitive(() =>
          account.second_factor.confirm.mutate({
            code: String(form.get("code")).trim(),
            end_other_sessions: form.get("end_others") === "on",
          }),
        )
      }
      onDone={({ recovery_codes }) => onDone(recovery_codes)}
    >
      {(errorOf) => (
        <>
          {error !== null && !isCanceled(error) && (
            <FailureNotice error={error} onRetry={() => void refetch()} />
          )}
          {data === undefined && error === null && <SkeletonRows rows={4} label={texts.set_up_title} />}
          {data !== undefined && <Secret {...data} />}
          <TextField
            label={texts.code}
            name="code"
            autoComplete="one-time-code"
            inputMode="numeric"
            spellCheck={false}
            required
            error={errorOf("code")}
          />
          {others > 0 && <Checkbox label={texts.end_unprotected(others)} name="end_others" defaultChecked />}
        </>
      )}
    </FormDialog>
  );
}

/** The secret for the app, as a code to scan and as text to type. */
function Secret({ uri, secret }: { uri: string; secret: string }) {
  return (
    <>
      <p>{texts.scan}</p>
      <QrCode text={uri} label={texts.qr_code} />
      <div className="grid gap-1">
        <p className="text-table text-muted">{texts.type_secret}</p>
        <p className="flex flex-wrap items-center gap-2">
          <code className="min-w-0 rounded-control bg-sunk px-2 py-1 font-mono text-table break-all">
            {inFours(secret)}
          </code>
          <CopyButton text={secret} quiet />
        </p>
      </div>
    </>
  );
}

function inFours(secret: string): string {
  return secret.match(/.{1,4}/g)?.join(" ") ?? secret;
}
