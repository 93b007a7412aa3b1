/** A line of an indented JSON text, and the path of the value that begins there: `data.lines[0].amount`. */
export interface JsonLine {
  text: string;
  path: string;
}

/** The lines of a JSON text; null: it is not JSON. */
export function jsonLines(text: string): JsonLine[] | null {
  // biome-ignore lint/plugin/swallowed-failure: throws only for text that is not JSON, which the page shows as it is
  try {
    return linesOf(JSON.parse(text), { path: "", name: "", indent: "", end: "" });
  } catch {
    return null;
  }
}

interface Place {
  path: string;
  /** Before the value: `"amount": `. */
  name: string;
  indent: string;
  /** After the value: a comma, or nothing. */
  end: string;
}

function linesOf(value: unknown, { path, name, indent, end }: Place): JsonLine[] {
  const entries: [string | number, unknown][] | null = Array.isArray(value)
    ? value.map((item, index) => [index, item])
    : value !== null && typeof value === "object"
      ? Object.entries(value)
      : null;
  if (entries === null || entries.length === 0) {
    return [{ text: `${indent}${name}${JSON.stringify(value)}${end}`, path }];
  }
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const within = entries.flatMap(([key, item], index) =>
    linesOf(item, {
      path: typeof key === "number" ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`,
      name: typeof key === "number" ? "" : `${JSON.stringify(key)}: `,
      indent: `${indent}  `,
      end: index === entries.length - 1 ? "" : ",",
    }),
  );
  return [
    { text: `${indent}${name}${open}`, path },
    ...within,
    { text: `${indent}${close}${end}`, path: "" },
  ];
}

/** The field that a reason names at its beginning: `data.amount: Must be a number.`; null: none. */
export function fieldOf(reason: string | null): string | null {
  return /^([A-Za-z0-9_$.[\]-]{1,300}): /.exec(reason ?? "")?.[1] ?? null;
}

/** The line of a field, or of the nearest value around it if the field is missing; null: nothing of it exists. */
export function lineOf(lines: readonly JsonLine[], field: string): number | null {
  for (let path = field; path !== ""; path = path.replace(/(\.|\[)?[^.[]*$/, "")) {
    const index = lines.findIndex((line) => line.path === path);
    if (index !== -1) return index;
  }
  return null;
}
