export const actorTypes = ['ACCOUNT', 'API_KEY', 'OPERATOR', 'SYSTEM'] as const;

/** Who does something: a person, a key, the command line, or the service by itself. */
export type Actor = {
  type: (typeof actorTypes)[number];
  /** The id that the API shows. */
  id: string;
  name: string;
  /** Of the client; null where there is none. */
  address: string | null;
  requestId: string | null;
};

/** The service by itself, where it has no other name for what it does. */
export const service: Actor = {
  type: 'SYSTEM',
  id: 'portico',
  name: 'portico',
  address: null,
  requestId: null,
};
