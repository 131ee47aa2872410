import { Page } from '../../ui/page.tsx';
import { developersWords } from '../../words/developers.ts';
import { SignatureDebugger } from './debugger.tsx';
import { Endpoints } from './endpoints.tsx';
import { ErrorCodes } from './error-codes.tsx';
import { Samples } from './samples.tsx';

export function DevelopersPage() {
  return (
    <Page title={developersWords.title} description={developersWords.about}>
      <Endpoints />
      <SignatureDebugger />
      <Samples />
      <ErrorCodes />
    </Page>
  );
}
