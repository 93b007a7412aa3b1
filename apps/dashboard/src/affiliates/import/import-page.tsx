import { Page } from "@findersfee/ui/shell/page";
import { useState } from "react";
import { useSession } from "../../session/session.tsx";
import { ForbiddenPage } from "../../shell/forbidden-page.tsx";
import { ColumnsStep } from "./columns-step.tsx";
import { FileStep } from "./file-step.tsx";
import type { Line, Target } from "./lines.ts";
import { LinesStep } from "./lines-step.tsx";
import { texts } from "./texts.ts";

/** Imports affiliates from a file: its lines, the meaning of its columns, and the outcome of each line. */
export function ImportPage() {
  const { home, organization } = useSession();
  const [file, setFile] = useState<string[][] | null>(null);
  const [judged, setJudged] = useState<{ lines: Line[]; target: Target } | null>(null);
  const restart = () => {
    setFile(null);
    setJudged(null);
  };
  if (organization.role === "viewer") return <ForbiddenPage error={null} />;
  return (
    <Page
      title={texts.title}
      document_title={`${texts.title} · ${organization.name}`}
      parent={{ to: `${home}/affiliates`, label: texts.parent }}
    >
      <div className="pt-2 pb-12">
        {file === null && <FileStep onRead={setFile} />}
        {file !== null && judged === null && (
          <ColumnsStep
            file={file}
            onJudged={(lines, target) => setJudged({ lines, target })}
            onRestart={restart}
          />
        )}
        {judged !== null && <LinesStep {...judged} onRestart={restart} />}
      </div>
    </Page>
  );
}
