/* Invented people of an invented company: no name, address or amount is of a real one. */

/** An affiliate, with clicks per day and the share of them that becomes a customer. */
export interface Person {
  first_name: string;
  last_name: string;
  email: string;
  ref_code: string;
  campaign: "creators" | "agencies";
  clicks_per_day: number;
  conversion: number;
}

export const PEOPLE: readonly Person[] = [
  person("Priya Raman", "priya@opsnotes.example", "priya", 9, 0.055),
  person("Tom Lindqvist", "tom@calmteams.example", "tom-lindqvist", 7, 0.05),
  person("Marta Oliveira", "marta@oliveira.example", "marta", 6, 0.05),
  person("Jonas Weber", "jonas@werkbank.example", "werkbank", 5, 0.045),
  person("Hana Sato", "hana@remote-desk.example", "remote-desk", 5, 0.04),
  person("Grace Okafor", "grace@okafor.example", "grace", 4, 0.05),
  person("Luca Bianchi", "luca@bianchi.example", "luca", 3, 0.05),
  person("Nina Dubois", "nina@atelier-dubois.example", "dubois", 3, 0.04),
  person("Ben Carter", "ben@carter.example", "ben-carter", 2, 0.05),
  person("Sofia Nowak", "sofia@nowak.example", "sofia", 2, 0.04),
  { ...person("Northline Studio", "partners@northline.example", "northline", 4, 0.06), campaign: "agencies" },
  { ...person("Blue Harbor", "hello@blueharbor.example", "blue-harbor", 3, 0.06), campaign: "agencies" },
];

function person(
  name: string,
  email: string,
  ref_code: string,
  clicks_per_day: number,
  conversion: number,
): Person {
  const [first_name = "", last_name = ""] = name.split(" ");
  return { first_name, last_name, email, ref_code, campaign: "creators", clicks_per_day, conversion };
}

const FIRST = ["amelia", "noah", "ines", "oscar", "leila", "mateo", "julia", "samir", "emma", "victor"];
const COMPANIES = [
  ...[
    "brightpath",
    "fernhill",
    "quarry",
    "lumen",
    "oakridge",
    "papercup",
    "silverline",
    "tandem",
    "hollow-pine",
  ],
  ...["kestrel", "saltmarsh", "foxglove", "granary", "longboat", "meridian", "nightjar", "pebble", "ravenna"],
  ...["stonecrop", "thimble", "undertow", "verbena", "wayfarer", "yarrow", "zephyr", "almanac", "bramble"],
  ...["copperfield", "driftwood", "ember", "finch", "gable", "harrow", "inkwell", "juniper", "keel"],
];

/** The email of the customer with this number, each with another one up to 360. */
export function customerEmail(number: number): string {
  const first = FIRST[number % FIRST.length] ?? "";
  const company = COMPANIES[Math.floor(number / FIRST.length) % COMPANIES.length] ?? "";
  return `${first}@${company}.example`;
}
