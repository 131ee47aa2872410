/** Where to go after signing in, told in the address of the sign-in page by anybody: only pages of the portal are gone to. */
export function readReturnPath(search: string, pages: readonly string[]): string | undefined {
  const asked = new URLSearchParams(search).get('return');
  if (asked === null) return undefined;
  const [path = '', query] = asked.split(/\?(.*)/s);
  if (!pages.includes(path)) return undefined;
  return query ? `${path}?${new URLSearchParams(query)}` : path;
}

export function signInPath(path: string, search: string): string {
  if (path === '/') return '/sign-in';
  const back = search === '' ? path : `${path}?${search.replace(/^\?/, '')}`;
  return `/sign-in?${new URLSearchParams({ return: back })}`;
}
