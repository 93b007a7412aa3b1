import { JSON_SYNTAX } from "./curl.ts";
import { writeLiteral } from "./literal.ts";
import type { SampleRequest } from "./request.ts";

/** Uses only the standard library, from Go 1.18 on. */
export function goSample({ method, path, body, answer, printed }: SampleRequest): string {
  const json = body === null ? "" : writeLiteral(body, { ...JSON_SYNTAX, indent: "\t" }, 1);
  // A raw string cannot contain a backtick.
  const content =
    body === null ? "" : `\tbody := strings.NewReader(\`${json.replaceAll("`", "\\u0060")}\`)\n`;
  const type = body === null ? "" : '\trequest.Header.Set("Content-Type", "application/json")\n';
  const packages = ["encoding/json", "fmt", "log", "net/http", "os", ...(body === null ? [] : ["strings"])];
  const field = printed === "id" ? "ID" : `${printed.charAt(0).toUpperCase()}${printed.slice(1)}`;
  return `package main

import (
${packages.map((name) => `\t"${name}"`).join("\n")}
)

func main() {
${content}\trequest, err := http.NewRequest("${method}", os.Getenv("FINDERSFEE_URL")+${JSON.stringify(path)}, ${body === null ? "nil" : "body"})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("FINDERSFEE_API_KEY"))
${type}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()

${answer === "lines" ? LINES : enveloped({ is_list: answer === "page", field })}}
`;
}

const LINES = `	if response.StatusCode != http.StatusOK {
		log.Fatal(response.Status)
	}
	for lines := json.NewDecoder(response.Body); lines.More(); {
		var line struct{ ID string }
		if err := lines.Decode(&line); err != nil {
			log.Fatal(err)
		}
		fmt.Println(line.ID)
	}
`;

function enveloped({ is_list, field }: { is_list: boolean; field: string }): string {
  const use = is_list
    ? "\tfor _, row := range answer.Data {\n\t\tfmt.Println(row.ID)\n\t}"
    : `\tfmt.Println(answer.Data.${field})`;
  return `	var answer struct {
		Data  ${is_list ? "[]" : ""}struct{ ${field} string }
		Error *struct{ Code, Message string }
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		log.Fatal(err)
	}
	if answer.Error != nil {
		log.Fatalf("%s: %s", answer.Error.Code, answer.Error.Message)
	}
${use}
`;
}
