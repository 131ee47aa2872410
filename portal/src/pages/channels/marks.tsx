import { ModeBand } from '../../ui/mode-band.tsx';
import { StatusBadge, type Tone } from '../../ui/status-badge.tsx';
import { channelFormsWords } from '../../words/channel-forms.tsx';

const channelTones: Record<string, Tone> = { ACTIVE: 'good', FAILING: 'bad', DISABLED: 'neutral' };

export function ChannelStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={channelTones[status] ?? 'neutral'} />;
}

const deliveryTones: Record<string, Tone> = { PENDING: 'waiting', SUCCEEDED: 'good', FAILED: 'bad' };

export function DeliveryStatus({ status }: { status: string }) {
  return <StatusBadge status={status} tone={deliveryTones[status] ?? 'neutral'} />;
}

/** So that nobody mistakes one kind of channel for the other. */
export const ChannelBand = ({ mode }: { mode: string }) => (
  <ModeBand mode={mode}>{mode === 'TEST' ? channelFormsWords.testBand : channelFormsWords.liveBand}</ModeBand>
);
