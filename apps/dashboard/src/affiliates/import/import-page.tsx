import { SkeletonRows } from "@findersfee/ui/components/skeleton";
import { lazyPart } from "@findersfee/ui/requests/lazy-part";
import { Page } from "@findersfee/ui/shell/page";
import { Suspense, useState } from "react";
import { useSession } from "../../session/session.tsx";
import { ForbiddenPage } from "../../shell/forbidden-page.tsx";
import { texts as shell_texts } from "../../shell/texts.ts";
import { ColumnsStep } from "./columns-step.tsx";
import { FileStep } from "./file-step.tsx";
import type { Line, Target } from "./lines.ts";
import { texts } from "./texts.ts";

// The first visit does not need it.
const LinesStep = lazyPart(() => import("./lines-step.tsx"), "LinesStep");

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
        <Suspense fallback={<SkeletonRows label={shell_texts.loading} />}>
          {judged !== null && <LinesStep {...judged} onRestart={restart} />}
        </Suspense>
      </div>
    </Page>
  );
}
