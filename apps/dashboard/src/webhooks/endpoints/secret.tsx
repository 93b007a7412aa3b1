import { Button } from "@findersfee/ui/components/button";
import { Card, Fact, Facts } from "@findersfee/ui/components/card";
import { CopyButton } from "@findersfee/ui/components/copy";
import { Time } from "@findersfee/ui/components/values";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay, useSession } from "../../session/session.tsx";
import { useChange } from "../../session/use-change.ts";
import { type Endpoint, secretQuery } from "./queries.ts";
import { texts } from "./texts.ts";

/** The signing secret, which admins can show, and former ones until they expire. */
export function SigningSecret({ endpoint: { id, secrets } }: { endpoint: Endpoint }) {
  const may_see = useMay("admin");
  const { api } = useSession();
  const { change, busy } = useChange("endpoints");
  const [current] = secrets;
  const former = secrets.filter(({ expires_at }) => expires_at !== null);
  return (
    <Card title={texts.signing}>
      <p className="mb-3 text-table text-muted">{texts.signing_hint}</p>
      <Facts>
        <Fact label={texts.secret}>
          {may_see ? <Shown key={current?.id} id={id} /> : texts.hidden_for_viewers}
        </Fact>
        {current !== undefined && (
          <Fact label={texts.created}>
            <Time at={current.created_at} />
          </Fact>
        )}
        {former.map(({ id: secret_id, expires_at }) => (
          <Fact key={secret_id} label={texts.former}>
            <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <span>
                {texts.valid_until} {expires_at !== null && <Time at={expires_at} />}
              </span>
              {may_see && (
                <Button
                  look="danger"
                  busy={busy}
                  onClick={() =>
                    change({
                      run: () => api.dashboard.endpoints.expireSecret.mutate({ id, secret_id }),
                      toast: { text: texts.expired },
                    })
                  }
                >
                  {texts.expire_now}
                </Button>
              )}
            </span>
          </Fact>
        ))}
      </Facts>
    </Card>
  );
}

const HIDDEN = `whsec_${"•".repeat(12)}`;

function Shown({ id }: { id: string }) {
  const session = useSession();
  const [shown, setShown] = useState(false);
  const { data, error, isFetching } = useQuery({ ...secretQuery(session, id), enabled: shown });
  const secret = shown ? data?.secret : undefined;
  return (
    <span className="grid gap-1">
      <span className="flex flex-wrap items-center gap-2">
        {secret !== null && (
          <code className="min-w-0 rounded-control bg-sunk px-2 py-1 font-mono text-meta break-all">
            {secret ?? HIDDEN}
          </code>
        )}
        <Button busy={shown && isFetching} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? texts.hide : texts.show}
        </Button>
        {typeof secret === "string" && <CopyButton text={secret} />}
      </span>
      <span role="status" className="text-bad">
        {secret === null && texts.unreadable}
        {shown && error !== null && failureOf(error).message}
      </span>
    </span>
  );
}
