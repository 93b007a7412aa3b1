export function hostOf(address: string): string {
  return URL.parse(address)?.host || address.slice(0, 200);
}

/** `/pricing?plan=pro`; addresses of visitors can be anything. */
export function pathOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? address.slice(0, 200) : `${url.pathname}${url.search}`.slice(0, 200);
}
