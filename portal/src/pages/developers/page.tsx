import { Page } from '../../ui/page.tsx';

export function DevelopersPage() {
  return <Page title="Developers">{null}</Page>;
}
