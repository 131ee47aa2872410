/** What is asked of the vault, which stands above. */
export type Sealing = {
  seal(secret: string, owner: string): Buffer;
  open(sealed: Buffer, owner: string): string;
};

/** What a channel holds and nobody is shown again. */
export type ChannelSecrets = {
  /** Fields of its configuration that its schema calls writeOnly. */
  fields: { [name: string]: string };
  /** Of a WEBHOOK: what it signs with, `whsec_…`, and what it signed with before, as long as both are. */
  signing?: { current: string; previous?: { secret: string; untilMs: number } };
};

const channelOwner = (channelId: string) => `channel:${channelId}`;

/** By the public id. */
export function sealChannel(vault: Sealing, channelId: string, secrets: ChannelSecrets): Buffer {
  return vault.seal(JSON.stringify(secrets), channelOwner(channelId));
}

export function openChannel(vault: Sealing, channelId: string, sealed: Buffer): ChannelSecrets {
  return JSON.parse(vault.open(sealed, channelOwner(channelId))) as ChannelSecrets; // sealed by sealChannel
}

/** Null where there is nothing to hide. */
export const sealSecrets = (vault: Sealing, channelId: string, secrets: ChannelSecrets): Buffer | null =>
  secrets.signing === undefined && Object.keys(secrets.fields).length === 0
    ? null
    : sealChannel(vault, channelId, secrets);

/** Of a channel that may have none. */
export const openSecrets = (vault: Sealing, channelId: string, sealed: Buffer | null): ChannelSecrets =>
  sealed === null ? { fields: {} } : openChannel(vault, channelId, sealed);
