/** The domain of an address in lower case: the part after the last `@`. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf("@") + 1);
}
