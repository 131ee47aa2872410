import { type RefObject, useEffect, useRef } from 'react';

/** Leads back to the field that the service refused, once for each refusal. */
export function useWrongField(error: unknown, isWrong: boolean): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (error === null || !isWrong) return;
    field.current?.focus();
    field.current?.select();
  }, [error, isWrong]);
  return field;
}
