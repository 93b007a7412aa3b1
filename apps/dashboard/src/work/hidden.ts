import { useCallback, useState } from "react";

const KEY = "hidden-jobs";
/** Older ones are no longer listed. */
const MOST = 100;

function read(): string[] {
  // biome-ignore lint/plugin/swallowed-failure: without storage, or with text of somebody else in it, nothing is hidden
  try {
    const ids: unknown = JSON.parse(window.localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(ids) ? ids.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** The finished work that the person has seen in this browser, or took out of the tray. */
export function useHiddenJobs(): { hidden: ReadonlySet<string>; hide: (ids: readonly string[]) => void } {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(() => new Set(read()));
  const hide = useCallback((more: readonly string[]) => {
    if (more.length === 0) return;
    const ids = [...new Set([...read(), ...more])].slice(-MOST);
    // biome-ignore lint/plugin/swallowed-failure: without storage, the work is hidden until the page is loaded again
    try {
      window.localStorage.setItem(KEY, JSON.stringify(ids));
    } catch {}
    setHidden(new Set(ids));
  }, []);
  return { hidden, hide };
}
