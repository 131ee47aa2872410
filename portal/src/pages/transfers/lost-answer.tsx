import { Caution } from '../../ui/caution.tsx';
import { transfersWords } from '../../words/transfers.tsx';

/** The one thing that must not be guessed about money. */
export const LostAnswer = () => (
  <Caution role="alert" title={transfersWords.noAnswer}>
    {transfersWords.noAnswerAbout}
  </Caution>
);
