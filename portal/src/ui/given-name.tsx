import { visibleText } from './visible-text.ts';

/** A name that someone gave: its direction stays its own, and what would hide in it is shown. */
export const GivenName = ({ children }: { children: string }) => <bdi>{visibleText(children)}</bdi>;
