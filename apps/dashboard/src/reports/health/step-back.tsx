import { Notice } from "@findersfee/ui/components/notice";
import { Time } from "@findersfee/ui/components/values";
import { APPLICATION_PATH } from "@findersfee/ui/requests/application-path";
import type { Health } from "./queries.ts";
import { texts } from "./texts.ts";

/** The database went back to an older state, and nothing is written until an operator decides. */
export function StepBack({ step_back }: Pick<Health, "step_back">) {
  if (step_back === null) return null;
  return (
    <Notice tone="bad" title={texts.stepped_back}>
      <p className="break-words">{step_back.reason}</p>
      <p>
        {texts.stepped_back_since} <Time at={step_back.noticed_at} />.{" "}
        <a
          href={`${APPLICATION_PATH}/docs/backups#a-database-that-went-back`}
          className="text-accent underline"
        >
          {texts.stepped_back_guide}
        </a>
      </p>
    </Notice>
  );
}
