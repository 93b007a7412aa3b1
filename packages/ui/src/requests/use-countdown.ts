import { useEffect, useState } from "react";

/** The seconds that are left of a delay; null after its end. A new delay starts it again. */
export function useCountdown(seconds: number | null): number | null {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    if (seconds === null) return undefined;
    const timer = setInterval(() => setLeft((now) => (now === null || now <= 1 ? null : now - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return left;
}
