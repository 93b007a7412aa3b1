import { expect, it } from "vitest";
import { type TracingVariables, tracesProtocol } from "./settings.ts";

const NOTHING: TracingVariables = {
  OTEL_SDK_DISABLED: false,
  OTEL_TRACES_EXPORTER: null,
  OTEL_EXPORTER_OTLP_ENDPOINT: null,
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: null,
  OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: null,
};
const OTEL_EXPORTER_OTLP_ENDPOINT = "http://localhost:4318";

it.each<[string, Partial<TracingVariables>, string | null]>([
  ["nothing", {}, null],
  ["a collector", { OTEL_EXPORTER_OTLP_ENDPOINT }, "http/protobuf"],
  [
    "one for traces",
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://localhost:4318/v1/traces" },
    "http/protobuf",
  ],
  ["the exporter with its usual collector", { OTEL_TRACES_EXPORTER: "otlp" }, "http/protobuf"],
  ["a protocol alone", { OTEL_EXPORTER_OTLP_PROTOCOL: "http/json" }, null],
  [
    "a protocol of traces",
    { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json" },
    "http/json",
  ],
  ["no exporter", { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: "none" }, null],
  ["no library", { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: true }, null],
])("turns traces on or off: %s", (_name, variables, protocol) => {
  expect(tracesProtocol({ ...NOTHING, ...variables })).toBe(protocol);
});
