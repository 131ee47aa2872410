type RecordPlace = {
  path: string /** Of the address, which names the record. */;
  parameter: string;
  id: string;
  /** What ids of this kind begin with; absent: they look like any other. */
  begins?: RegExp;
};

/** Where the records of each kind are shown, and what their id is called. */
const places: Readonly<Record<string, RecordPlace>> = {
  transfer: { path: '/transfers', parameter: 'transfer', id: 'transferId', begins: /^TRF_/i },
  file: { path: '/files', parameter: 'file', id: 'bizId', begins: /^FILE_/i },
  'api-key': { path: '/api-keys', parameter: 'key', id: 'apiKeyId', begins: /^ak_(live|test)_/i },
  channel: { path: '/channels', parameter: 'channel', id: 'channelId', begins: /^NCH_/i },
  request: { path: '/requests', parameter: 'request', id: 'requestId', begins: /^[0-9a-f]{8}-[0-9a-f]{4}-/i },
};

export const recordPlaces: readonly RecordPlace[] = Object.values(places);

/** What names a record in an address, on whatever page. */
export const recordParameters: readonly string[] = [
  ...recordPlaces.map(({ parameter }) => parameter),
  'delivery',
];

/** By the kind of an action, or of the subject of a record of the log: api-key or API_KEY. */
export function recordPlaceOf(kind: string): RecordPlace | undefined {
  const name = kind.toLowerCase().replaceAll('_', '-');
  return Object.hasOwn(places, name) ? places[name] : undefined;
}

/** By an id as someone was told it; undefined: it can be none. */
export function placeOfId(id: string): RecordPlace | undefined {
  return /^[\x21-\x7e]{4,128}$/.test(id) ? recordPlaces.find(({ begins }) => begins?.test(id)) : undefined;
}
