import { Page } from '../../ui/page.tsx';

export function TransfersPage() {
  return <Page title="Transfers">{null}</Page>;
}
