import { Button } from "@findersfee/ui/components/button";
import { State, type StateTone } from "@findersfee/ui/components/state";
import { Untrusted } from "@findersfee/ui/components/values";
import { formatCount } from "@findersfee/ui/formats/counts";
import { type Column, Table } from "@findersfee/ui/lists/table";
import { Link, useNavigation } from "@findersfee/ui/navigation";
import { useToast } from "@findersfee/ui/overlays/toast";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { FailureNotice } from "../../requests/failure-notice.tsx";
import { uploadCsv } from "../../requests/upload.ts";
import { useSession } from "../../session/session.tsx";
import { jobsKey } from "../../work/jobs-key.ts";
import { labelOf } from "./columns.ts";
import { EditLine } from "./edit-line.tsx";
import { fileOf, type Line, type Target, withoutTwins } from "./lines.ts";
import { texts } from "./texts.ts";

const PAGE = 50;

const TONES: Record<Line["outcome"], StateTone> = { new: "done", exists: "none", wrong: "failed" };

export interface LinesStepProps {
  lines: readonly Line[];
  target: Target;
  onRestart: () => void;
}

/** Every line with its outcome. People can correct wrong lines here. */
export function LinesStep({ lines: judged, target, onRestart }: LinesStepProps) {
  const { home } = useSession();
  const [checked, setChecked] = useState(judged);
  // Each time all of them: a line that was mended can have been the twin of another one.
  const lines = useMemo(() => withoutTwins(checked), [checked]);
  const [editing, setEditing] = useState<Line | null>(null);
  const countOf = (outcome: Line["outcome"]) => lines.filter((line) => line.outcome === outcome).length;
  const [shown, setShown] = useState<Line["outcome"]>(countOf("wrong") > 0 ? "wrong" : "new");
  const [page, setPage] = useState(0);
  const chosen = lines.filter(({ outcome }) => outcome === shown);
  const rows = chosen.slice(page * PAGE, (page + 1) * PAGE);
  const columns = useMemo(() => columnsOf(home, setEditing), [home]);
  return (
    <>
      <fieldset aria-label={texts.lines} className="flex flex-wrap gap-2 pb-3">
        {(["wrong", "new", "exists"] as const).map((outcome) => (
          <Button
            key={outcome}
            aria-pressed={outcome === shown}
            look={outcome === shown ? "plain" : "quiet"}
            onClick={() => {
              setShown(outcome);
              setPage(0);
            }}
          >
            {texts.outcomes[outcome]}
            <span className="font-normal text-muted tabular-nums">{formatCount(countOf(outcome))}</span>
          </Button>
        ))}
      </fieldset>
      {rows.length === 0 ? (
        <p className="py-6 text-muted">{texts.none_here}</p>
      ) : (
        <Table
          label={texts.lines}
          rows={rows}
          columns={columns}
          keyOf={({ number }) => String(number)}
          nameOf={({ number }) => texts.edit(number)}
        />
      )}
      <Pages page={page} count={chosen.length} onPage={setPage} />
      <Start lines={lines} target={target} onRestart={onRestart} />
      {editing !== null && (
        <EditLine
          line={editing}
          campaign_id={target.campaign_id}
          onClose={() => setEditing(null)}
          onJudged={(mended) => {
            setEditing(null);
            setChecked(checked.map((line) => (line.number === mended.number ? mended : line)));
          }}
        />
      )}
    </>
  );
}

function Pages({ page, count, onPage }: { page: number; count: number; onPage: (page: number) => void }) {
  if (count <= PAGE) return null;
  const until = Math.min(count, (page + 1) * PAGE);
  return (
    <p className="flex items-center gap-3 py-3 text-table text-muted">
      {texts.page(page * PAGE + 1, until, count)}
      <Button disabled={page === 0} onClick={() => onPage(page - 1)}>
        {texts.previous}
      </Button>
      <Button disabled={until === count} onClick={() => onPage(page + 1)}>
        {texts.next}
      </Button>
    </p>
  );
}

/** Writes nothing before this button. */
function Start({ lines, target, onRestart }: LinesStepProps) {
  const { organization, home } = useSession();
  const client = useQueryClient();
  const toast = useToast();
  const { navigate } = useNavigation();
  const countOf = (outcome: Line["outcome"]) => lines.filter((line) => line.outcome === outcome).length;
  const left_out = texts.left_out(countOf("wrong"), countOf("exists"));
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => {
      const { campaign_id, approved, send_invitation } = target;
      const path = `/dashboard/affiliates/import?campaign_id=${campaign_id}&approved=${approved}&send_invitation=${send_invitation}`;
      return uploadCsv(organization.id, path, fileOf(lines));
    },
    onSuccess: async () => {
      toast({ text: texts.started });
      await client.invalidateQueries({ queryKey: jobsKey(organization.id) });
      navigate(`${home}/affiliates`);
    },
  });
  return (
    <div className="sticky bottom-0 grid gap-3 border-t border-line bg-page py-4">
      {error !== null && <FailureNotice error={error} onRetry={() => mutate()} />}
      <div className="flex flex-wrap items-center gap-3">
        {countOf("new") > 0 && (
          <Button look="solid" busy={isPending} onClick={() => mutate()}>
            {texts.import(countOf("new"))}
          </Button>
        )}
        <Button onClick={onRestart}>{texts.again}</Button>
        {left_out !== "" && <p className="text-table text-muted">{texts.are_left_out(left_out)}</p>}
      </div>
    </div>
  );
}

function columnsOf(home: string, onEdit: (line: Line) => void): readonly Column<Line>[] {
  return [
    {
      id: "email",
      header: labelOf("email"),
      cell: (line) => (
        <button
          type="button"
          className="block w-full truncate text-left underline decoration-rule underline-offset-2"
          onClick={() => onEdit(line)}
        >
          <bdi>{line.values.email ?? "—"}</bdi>
        </button>
      ),
      narrow: "above",
      strong: true,
    },
    {
      id: "name",
      header: labelOf("first_name"),
      cell: ({ values }) => (
        <Untrusted lines={1}>
          {`${values.first_name ?? ""} ${values.last_name ?? ""}`.trim() || "—"}
        </Untrusted>
      ),
    },
    {
      id: "outcome",
      header: texts.why,
      cell: ({ outcome, reason, affiliate_id }) => (
        <State tone={TONES[outcome]}>
          <span dir="auto" title={reason}>
            {reason || texts.outcomes[outcome]}
          </span>
          {affiliate_id !== null && (
            <Link to={`${home}/affiliates/${affiliate_id}`} className="ml-2 text-accent underline">
              {texts.see}
            </Link>
          )}
        </State>
      ),
      narrow: "below",
      width: "w-[45%]",
    },
    {
      id: "line",
      header: texts.line,
      cell: ({ number }) => formatCount(number),
      align: "end",
      narrow: "above-end",
      width: "w-20",
    },
  ];
}
