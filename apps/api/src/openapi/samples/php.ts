import { type Syntax, singleQuoted, writeLiteral } from "./literal.ts";
import type { SampleRequest } from "./request.ts";

const SYNTAX: Syntax = {
  object: ["[", "]"],
  array: ["[", "]"],
  padding: "",
  indent: "    ",
  trailing_comma: true,
  string: singleQuoted,
  name: (name) => `${singleQuoted(name)} => `,
  constants: ["null", "true", "false"],
};

/** Requires no extension: PHP sends the request with its own streams. */
export function phpSample({ method, path, body, answer, printed }: SampleRequest): string {
  const content = body === null ? "" : `$body = ${writeLiteral(body, SYNTAX)};\n`;
  const type = body === null ? "" : "\n        'Content-Type: application/json',";
  const data = body === null ? "" : "\n    'content' => json_encode($body, JSON_THROW_ON_ERROR),";
  const use =
    answer === "page"
      ? "foreach ($answer['data'] as $row) {\n    echo $row['id'], \"\\n\";\n}"
      : `echo $answer['data']['${printed}'], "\\n";`;
  return `<?php

${content}$context = stream_context_create(['http' => [
    'method' => '${method}',
    'header' => [
        'Authorization: Bearer ' . getenv('FINDERSFEE_API_KEY'),${type}
    ],${data}${answer === "lines" ? "" : "\n    'ignore_errors' => true,"}
]]);
$response = file_get_contents(getenv('FINDERSFEE_URL') . ${singleQuoted(path)}, false, $context);
${answer === "lines" ? LINES : enveloped(use)}`;
}

const LINES = `if ($response === false) {
    exit(1);
}
foreach (explode("\\n", trim($response)) as $line) {
    echo json_decode($line, true, flags: JSON_THROW_ON_ERROR)['id'], "\\n";
}
`;

function enveloped(use: string): string {
  return `$answer = json_decode($response, true, flags: JSON_THROW_ON_ERROR);
if (!$answer['success']) {
    throw new RuntimeException($answer['error']['message']);
}
${use}
`;
}
