import { Inbox } from "lucide-react";
import { Button } from "../src/components/button.tsx";
import { Card } from "../src/components/card.tsx";
import { Empty } from "../src/components/empty.tsx";
import { Failure, Notice } from "../src/components/notice.tsx";
import { Progress, SkeletonRows } from "../src/components/skeleton.tsx";
import { State, type StateTone } from "../src/components/state.tsx";

const TONES: StateTone[] = ["done", "waiting", "held", "failed", "warning", "stopped", "none"];

export function States() {
  return (
    <div className="grid gap-4 pb-8">
      <Card title="States">
        <div className="flex flex-wrap gap-4">
          {TONES.map((tone) => (
            <State key={tone} tone={tone}>
              {tone}
            </State>
          ))}
        </div>
      </Card>
      <Notice tone="info" title="Test mode">
        Payments of Stripe's test mode count.
      </Notice>
      <Notice tone="good" title="Your first commission is here" />
      <Notice tone="warn" title="3 Stripe messages are dead-lettered" actions={<Button>Look</Button>} />
      <Failure
        message="The list could not be loaded."
        request_id="0199d3a1-6a7e-7c44-9a51-3f2b8c6d1e90"
        onRetry={() => {}}
      />
      <Card title="Loading">
        <Progress busy />
        <SkeletonRows label="Loading…" rows={4} />
      </Card>
      <Card>
        <Empty icon={Inbox} title="Nobody waits" action={<Button>Copy the sign-up page's address</Button>}>
          Applications appear here.
        </Empty>
      </Card>
    </div>
  );
}
