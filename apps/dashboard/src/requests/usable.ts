import { useEffect } from "react";

const NAME = "usable";

/** Marks the time at which the content of a page can be used, for `pnpm bench dashboard`. */
export function useUsableMark(content: unknown): void {
  useEffect(() => {
    if (content === undefined) return;
    performance.clearMarks(NAME);
    performance.mark(NAME);
  }, [content]);
}
