import * as RadixTabs from "@radix-ui/react-tabs";
import type { ReactNode } from "react";

export interface Tab {
  id: string;
  label: string;
  content: ReactNode;
}

/** Views of one page that share its URL. */
export function Tabs({ label, tabs }: { label: string; tabs: readonly Tab[] }) {
  return (
    <RadixTabs.Root defaultValue={tabs[0]?.id ?? ""}>
      <RadixTabs.List aria-label={label} className="flex gap-5 overflow-x-auto border-b border-line">
        {tabs.map((tab) => (
          <RadixTabs.Trigger
            key={tab.id}
            value={tab.id}
            className="-mb-px h-9 shrink-0 border-b-2 border-transparent text-table text-muted hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:border-accent-line data-[state=active]:font-medium data-[state=active]:text-ink max-wide:h-11"
          >
            {tab.label}
          </RadixTabs.Trigger>
        ))}
      </RadixTabs.List>
      {tabs.map((tab) => (
        <RadixTabs.Content key={tab.id} value={tab.id} className="pt-3">
          {tab.content}
        </RadixTabs.Content>
      ))}
    </RadixTabs.Root>
  );
}
