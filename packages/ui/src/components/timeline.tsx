import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Time } from "./values.tsx";

/** Events in the order of time. In a narrow place, each time is above its text. */
export function Timeline({ children }: { children: ReactNode }) {
  return <ol className="@container grid grid-cols-1">{children}</ol>;
}

export interface TimelineItemProps {
  icon: LucideIcon;
  at: string;
  children: ReactNode;
}

/** An event of a timeline. The icon of one in the future has a dashed line around it. */
export function TimelineItem({ icon: Icon, at, children }: TimelineItemProps) {
  const is_future = Date.parse(at) > Date.now();
  return (
    <li className="group grid grid-cols-[28px_minmax(0,1fr)] gap-x-3 @md:grid-cols-[104px_28px_minmax(0,1fr)]">
      <p className="col-start-2 row-start-1 pt-1 text-meta text-muted @md:col-start-1 @md:text-right @md:text-table">
        <Time at={at} />
      </p>
      <div className="relative row-span-2 row-start-1 flex justify-center @md:col-start-2 @md:row-span-1">
        <span className="absolute top-7 bottom-0 w-px bg-line group-last:hidden" />
        <span
          className={`grid size-7 place-items-center rounded-full border bg-page text-muted ${is_future ? "border-dashed border-rule" : "border-line"}`}
        >
          <Icon aria-hidden size={14} />
        </span>
      </div>
      <div className="col-start-2 min-w-0 pb-5 @md:col-start-3 @md:pt-1">{children}</div>
    </li>
  );
}

export interface MomentTimelineProps<Kind extends string, Moment> {
  moments: readonly Moment[];
  icons: Readonly<Record<Kind, LucideIcon>>;
  children: (moment: Moment) => ReactNode;
}

/** A timeline of moments, including future ones. */
export function MomentTimeline<Kind extends string, Moment extends { kind: Kind; key: string; at: string }>({
  moments,
  icons,
  children,
}: MomentTimelineProps<Kind, Moment>) {
  return (
    <Timeline>
      {moments.map((moment) => (
        <TimelineItem key={moment.key} icon={icons[moment.kind]} at={moment.at}>
          {children(moment)}
        </TimelineItem>
      ))}
    </Timeline>
  );
}

/** A moment's name, and more about it. */
export function MomentText({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <>
      <div dir="auto" className="font-medium">
        {title}
      </div>
      {children !== undefined && <div className="text-table text-muted">{children}</div>}
    </>
  );
}
