import { type Syntax, writeLiteral } from "./literal.ts";
import type { SampleRequest } from "./request.ts";

const SYNTAX: Syntax = {
  object: ["{", "}"],
  array: ["[", "]"],
  padding: "",
  indent: "    ",
  trailing_comma: true,
  string: (text) => JSON.stringify(text),
  name: (name) => `${JSON.stringify(name)}: `,
  constants: ["None", "True", "False"],
};

/** Uses only the standard library. `urlopen` raises for every status from 400 on. */
export function pythonSample({ method, path, body, answer, printed }: SampleRequest): string {
  const content = body === null ? "" : `body = ${writeLiteral(body, SYNTAX)}\n`;
  const data = body === null ? "" : "\n    data=json.dumps(body).encode(),";
  const type = body === null ? "" : '\n        "Content-Type": "application/json",';
  const use = {
    resource: `    answer = json.load(response)\nprint(answer["data"]["${printed}"])`,
    page: '    answer = json.load(response)\nfor row in answer["data"]:\n    print(row["id"])',
    lines: '    for line in response:\n        print(json.loads(line)["id"])',
  }[answer];
  return `import json
import os
from urllib.request import Request, urlopen

${content}request = Request(
    os.environ["FINDERSFEE_URL"] + ${JSON.stringify(path)},
    method="${method}",
    headers={
        "Authorization": "Bearer " + os.environ["FINDERSFEE_API_KEY"],${type}
    },${data}
)
with urlopen(request, timeout=30) as response:
${use}
`;
}
