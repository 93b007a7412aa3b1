/** OpenTelemetry's variables that this process reads itself; the library reads the others. Null: not set. */
export interface TracingVariables {
  OTEL_SDK_DISABLED: boolean;
  OTEL_TRACES_EXPORTER: "otlp" | "none" | null;
  OTEL_EXPORTER_OTLP_ENDPOINT: string | null;
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: string | null;
  OTEL_EXPORTER_OTLP_PROTOCOL: OtlpProtocol;
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: OtlpProtocol | null;
}

export type OtlpProtocol = "http/protobuf" | "http/json";

/** The protocol of traces; null: they are off, unless a variable says where to send them. */
export function tracesProtocol(variables: TracingVariables): OtlpProtocol | null {
  const { OTEL_SDK_DISABLED: is_disabled, OTEL_TRACES_EXPORTER: exporter } = variables;
  if (is_disabled || exporter === "none") return null;
  const endpoint = variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (exporter === null && endpoint === null) return null;
  return variables.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? variables.OTEL_EXPORTER_OTLP_PROTOCOL;
}
