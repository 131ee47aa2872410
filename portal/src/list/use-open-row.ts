import { useCallback } from 'react';
import { useSearchParams } from 'wouter';

/** The row that is open, by a parameter of the address: a link opens it, the back button closes it. */
export function useOpenRow(parameter: string) {
  const [params, setParams] = useSearchParams();
  const set = useCallback(
    (id: string | undefined) =>
      setParams((old) => {
        const { [parameter]: _open, ...kept } = Object.fromEntries(old);
        return id === undefined ? kept : { ...kept, [parameter]: id };
      }),
    [parameter, setParams],
  );
  return {
    openId: params.get(parameter) || undefined,
    open: useCallback((id: string) => set(id), [set]),
    close: useCallback(() => set(undefined), [set]),
  };
}
