import { Registry } from "prom-client";

/** Prometheus' text of all metrics, and its media type. */
export async function scrape(registries: Registry[]): Promise<{ text: string; content_type: string }> {
  const all = Registry.merge(registries);
  return { text: await all.metrics(), content_type: all.contentType };
}
