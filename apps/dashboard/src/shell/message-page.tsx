import { Empty } from "@findersfee/ui/components/empty";
import type { LucideIcon } from "lucide-react";
import { type ReactNode, useEffect } from "react";

export interface MessagePageProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}

/** A page that only says why there is no other one. */
export function MessagePage({ icon, title, children, action }: MessagePageProps) {
  useEffect(() => {
    document.title = `${title} · Findersfee`;
  }, [title]);
  return (
    <div className="grid min-h-[70dvh] content-center">
      <h1 className="sr-only">{title}</h1>
      <Empty icon={icon} title={title} action={action}>
        {children}
      </Empty>
    </div>
  );
}
