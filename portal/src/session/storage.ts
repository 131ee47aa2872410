/** Everything that the portal keeps in a browser; some of it for each account, workspace or list. */
type Kept =
  | 'locale'
  | 'loaded-anew'
  | 'refresh'
  | 'session'
  | 'time-zone'
  | `${'recent' | 'views' | 'workspace'}:${string}`;

/** What it is called there. */
export const storedAs = (kept: Kept) => `portico.${kept}`;

/** localStorage that may be forbidden: what cannot be kept is forgotten. */
export const storage = {
  get(kept: Kept): string | null {
    try {
      return localStorage.getItem(storedAs(kept));
    } catch {
      return null;
    }
  },
  set(kept: Kept, value: string): void {
    try {
      localStorage.setItem(storedAs(kept), value);
    } catch {
      // Forgotten at the next reload.
    }
  },
  remove(kept: Kept): void {
    try {
      localStorage.removeItem(storedAs(kept));
    } catch {
      // It was not kept either.
    }
  },
};
