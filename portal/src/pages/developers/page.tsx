import { Page } from '../../ui/page.tsx';
import { SignatureDebugger } from './debugger.tsx';
import { Endpoints } from './endpoints.tsx';
import { ErrorCodes } from './error-codes.tsx';
import { Samples } from './samples.tsx';

export function DevelopersPage() {
  return (
    <Page
      title="Developers"
      description="Everything for the first signed call, and for the one that is refused"
    >
      <Endpoints />
      <SignatureDebugger />
      <Samples />
      <ErrorCodes />
    </Page>
  );
}
