import { Page } from '../../ui/page.tsx';

export function ChannelTypesPage() {
  return <Page title="Channel types">{null}</Page>;
}
