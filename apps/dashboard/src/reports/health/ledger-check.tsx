import { Button } from "@findersfee/ui/components/button";
import { Item, Items, Section } from "@findersfee/ui/components/section";
import { State } from "@findersfee/ui/components/state";
import { Time } from "@findersfee/ui/components/values";
import { Link } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { failureOf } from "@findersfee/ui/requests/failure";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMay, useSession } from "../../session/session.tsx";
import { jobsKey } from "../../work/jobs-key.ts";
import { HEALTH, type Health } from "./queries.ts";
import { texts } from "./texts.ts";

type Check = NonNullable<Health["ledger_check"]>;
type Nightly = NonNullable<Health["nightly_check"]>;
type Found = Pick<Check, "findings" | "damaged" | "warnings">;

/** The last checks of the ledger, with each row that does not add up, and a button for another one. */
export function LedgerCheck({ check, nightly }: { check: Check | null; nightly: Nightly | null }) {
  const found = lastFound(check, nightly);
  const may_check = useMay("admin");
  return (
    <Section title={texts.ledger} hint={texts.ledger_hint}>
      {check === null && nightly === null && <p className="text-muted">{texts.never_checked}</p>}
      {check !== null && <Result check={check} />}
      {nightly !== null && <NightlyResult nightly={nightly} />}
      {may_check && (
        <div>
          <CheckNow is_running={check?.state === "running"} />
        </div>
      )}
      {found !== null && found.findings.length > 0 && <Findings found={found} />}
    </Section>
  );
}

/** The result of the later complete check. ISO times sort as texts. */
function lastFound(check: Check | null, nightly: Nightly | null): Found | null {
  if (check?.finished_at == null) return nightly;
  return nightly?.checked_at != null && nightly.checked_at > check.started_at ? nightly : check;
}

function NightlyResult({ nightly: { checked_at, rules, damaged, warnings, reason } }: { nightly: Nightly }) {
  return (
    <div className="grid gap-1">
      {reason !== null && <State tone="warning">{texts.nightly_failed}</State>}
      {reason !== null && <p className="text-table wrap-anywhere text-muted">{reason}</p>}
      {checked_at !== null && <Sum damaged={damaged} rules={rules} />}
      {checked_at !== null && warnings > 0 && <State tone="warning">{texts.warnings(warnings)}</State>}
      {checked_at !== null && (
        <p className="text-table text-muted">
          {texts.nightly}, <Time at={checked_at} />
        </p>
      )}
    </div>
  );
}

function Sum({ damaged, rules }: Pick<Check, "damaged" | "rules">) {
  return damaged > 0 ? (
    <State tone="failed">{texts.broken(damaged)}</State>
  ) : (
    <State tone="done">{texts.adds_up(rules)}</State>
  );
}

function CheckNow({ is_running }: { is_running: boolean }) {
  const { api, organization } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api.dashboard.health.check_ledger.mutate({}),
    onSuccess: async () => {
      toast({ text: texts.started });
      await client.invalidateQueries({ queryKey: [organization.id, HEALTH] });
      await client.invalidateQueries({ queryKey: jobsKey(organization.id) });
    },
    onError: (error) => toast({ text: failureOf(error).message, tone: "failed" }),
  });
  return (
    <Button busy={isPending || is_running} onClick={() => mutate()}>
      {texts.check_now}
    </Button>
  );
}

function Result({ check }: { check: Check }) {
  const { started_by, finished_at, reason, warnings } = check;
  return (
    <div className="grid gap-1">
      <Outcome check={check} />
      {warnings > 0 && <State tone="warning">{texts.warnings(warnings)}</State>}
      {finished_at !== null && (
        <p className="text-table text-muted">
          <Time at={finished_at} /> {started_by !== null && texts.checked_by(started_by)}
        </p>
      )}
      {reason !== null && <p className="text-table wrap-anywhere text-muted">{reason}</p>}
    </div>
  );
}

function Outcome({ check: { state, rules_checked, rules, damaged } }: { check: Check }) {
  switch (state) {
    case "running":
      return <State tone="waiting">{texts.checking(rules_checked, rules)}</State>;
    case "failed":
      return <State tone="failed">{texts.failed}</State>;
    case "canceled":
      return <State tone="stopped">{texts.canceled}</State>;
    case "finished":
      return <Sum damaged={damaged} rules={rules} />;
  }
}

function Findings({ found: { findings, damaged, warnings } }: { found: Found }) {
  const more = damaged + warnings - findings.length;
  return (
    <div className="grid gap-2">
      <p className="text-table text-muted">{texts.report}</p>
      <Items label={texts.findings}>
        {findings.map(({ subject, finding, rule }, index) => (
          <Item key={index} title={<Subject subject={subject} />}>
            <p className="wrap-anywhere text-ink">{finding}</p>
            <p>{rule}</p>
          </Item>
        ))}
      </Items>
      {more > 0 && <p className="text-table text-muted">{texts.more(more)}</p>}
    </div>
  );
}

const LINKED = /^(commission|payout) ([0-9a-f-]{36})$/;

/** The row; a link if it has a page. */
function Subject({ subject }: { subject: string }) {
  const { home } = useSession();
  const [, kind, id] = LINKED.exec(subject) ?? [];
  if (kind === undefined || id === undefined) return subject;
  return (
    <Link to={`${home}/${kind}s/${id}`} className="underline">
      {subject}
    </Link>
  );
}
