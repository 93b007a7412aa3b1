const HEAD = `<?xml version="1.0" encoding="UTF-8"?>
<gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01" xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref">
	<gesmes:subject>Reference rates</gesmes:subject>
	<gesmes:Sender>
		<gesmes:name>European Central Bank</gesmes:name>
	</gesmes:Sender>
	<Cube>`;

/** A file of the European Central Bank with these rates, by day and currency. */
export function ecbFile(days: Record<string, Record<string, string>>): string {
  const cubes = Object.entries(days).map(([day, rates]) => {
    const lines = Object.entries(rates).map(([code, rate]) => `<Cube currency='${code}' rate='${rate}'/>`);
    return `<Cube time='${day}'>\n${lines.join("\n")}\n</Cube>`;
  });
  return `${HEAD}\n${cubes.join("\n")}\n</Cube>\n</gesmes:Envelope>\n`;
}
