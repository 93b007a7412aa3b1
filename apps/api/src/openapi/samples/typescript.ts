import { type Syntax, writeLiteral } from "./literal.ts";
import type { SampleRequest } from "./request.ts";

const SYNTAX: Syntax = {
  object: ["{", "}"],
  array: ["[", "]"],
  padding: " ",
  indent: "  ",
  trailing_comma: true,
  string: (text) => JSON.stringify(text),
  name: (name) => `${/^[a-z_]\w*$/i.test(name) ? name : JSON.stringify(name)}: `,
  constants: ["null", "true", "false"],
};

const SDK = "@findersfee/sdk";

/** An ES module, which JavaScript runs unchanged. */
export function typescriptSample(request: SampleRequest): string {
  return request.answer === "lines" ? linesSample(request) : sdkSample(request);
}

/** The SDK has the router's operations alone. */
function linesSample({ path }: SampleRequest): string {
  return `const response = await fetch(\`\${process.env.FINDERSFEE_URL}${path}\`, {
  headers: { authorization: \`Bearer \${process.env.FINDERSFEE_API_KEY}\` },
});
const text = await response.text();
if (!response.ok) throw new Error(text);

for (const line of text.trim().split("\\n")) console.log(JSON.parse(line).id);
`;
}

function sdkSample({ resource, verb, input, answer, printed }: SampleRequest): string {
  const row = resource.replace(/s$/, "").replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
  const noun = printed === "id" ? row : "result";
  const call = `findersfee.${resource}.${verb}(${writeLiteral(input, SYNTAX)})`;
  const use =
    answer === "page"
      ? `// Reads every page.\nfor await (const ${noun} of ${call}) {\n  console.log(${noun}.${printed});\n}`
      : `const ${noun} = await ${call};\nconsole.log(${noun}.${printed});`;
  return `import { createClient } from ${JSON.stringify(SDK)};

const findersfee = createClient({
  baseUrl: process.env.FINDERSFEE_URL ?? "",
  apiKey: process.env.FINDERSFEE_API_KEY ?? "",
});

${use}
`;
}
