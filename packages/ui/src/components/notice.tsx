import { Info, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTexts } from "../texts.tsx";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";

export type NoticeTone = "info" | "good" | "warn" | "bad";

const TONES: Record<NoticeTone, { icon: LucideIcon; look: string }> = {
  info: { icon: Info, look: "bg-info-tint text-info" },
  good: { icon: Info, look: "bg-good-tint text-good" },
  warn: { icon: TriangleAlert, look: "bg-warn-tint text-warn" },
  bad: { icon: TriangleAlert, look: "bg-bad-tint text-bad" },
};

export interface NoticeProps {
  tone: NoticeTone;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  /** Read out when it appears. */
  alert?: boolean;
}

/** A tinted box above the content that it is about. */
export function Notice({ tone, title, children, actions, alert }: NoticeProps) {
  const { icon: Icon, look } = TONES[tone];
  return (
    <div
      {...(alert ? { role: "alert" } : {})}
      className={`flex flex-wrap gap-x-3 gap-y-2 rounded-card px-4 py-3 ${children === undefined ? "items-center" : "items-start"} ${look}`}
    >
      <div className="flex min-w-0 flex-1 basis-60 gap-x-3">
        <Icon aria-hidden size={16} className="mt-0.5 shrink-0" />
        <div className="min-w-0">
          <p className="font-medium wrap-anywhere">{title}</p>
          {children !== undefined && <div className="text-table text-ink">{children}</div>}
        </div>
      </div>
      {actions}
    </div>
  );
}

export interface FailureProps {
  /** The sentence of the error. */
  message: string;
  /** For support. */
  request_id?: string | undefined;
  onRetry?: () => void;
}

/** Shows that loading failed. Content that was loaded before stays visible below it. */
export function Failure({ message, request_id, onRetry }: FailureProps) {
  const texts = useTexts();
  return (
    <Notice
      tone="bad"
      title={message}
      alert
      actions={onRetry !== undefined && <Button onClick={onRetry}>{texts.retry}</Button>}
    >
      {request_id !== undefined && (
        <span className="flex flex-wrap items-center gap-x-1">
          {texts.request_id} <code className="font-mono text-meta">{request_id}</code>
          <CopyButton text={request_id} quiet />
        </span>
      )}
    </Notice>
  );
}
