import { type RefObject, useEffect, useRef, useState } from 'react';

/** Leads to the first field that is wrong, each time a form is refused before it is sent. */
export function useFirstWrong(): { form: RefObject<HTMLFormElement | null>; show(): void } {
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
  }, [refusals]);
  return { form, show: () => setRefusals((count) => count + 1) };
}
