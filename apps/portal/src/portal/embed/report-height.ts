/** Between two pages, the content is empty until the next one is loaded. */
const SHRINK_MILLISECONDS = 250;

/** Calls back with the height of the content, in CSS pixels, when it grew, and when it stays smaller. */
export function reportHeight(report: (height: number) => void): void {
  const { body } = document;
  const heightOf = () => Math.ceil(body.getBoundingClientRect().height);
  let reported = 0;
  let shrinking: ReturnType<typeof setTimeout> | undefined;
  const send = () => {
    const height = heightOf();
    if (height === reported) return;
    reported = height;
    report(height);
  };
  new ResizeObserver(() => {
    clearTimeout(shrinking);
    if (heightOf() > reported) send();
    else shrinking = setTimeout(send, SHRINK_MILLISECONDS);
  }).observe(body);
}
