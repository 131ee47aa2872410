import { Caution } from '../../ui/caution.tsx';

/** The one thing that must not be guessed about money. */
export const LostAnswer = () => (
  <Caution role="alert" title="No answer came">
    It is not known whether the transfer was created. Send it again as it is: however often you do, it is
    created once. Or look for it in the list first.
  </Caution>
);
