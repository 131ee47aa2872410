/** A call that an address carries to the simulator of its key or to the signature debugger. Of its headers nothing, and never a secret. */
export type AddressedCall = { method: string; path: string; address: string; at: string };

const names = ['method', 'path', 'address', 'at'] as const;

/** Undefined: the address carries none. */
export function readCall(params: URLSearchParams): AddressedCall | undefined {
  const path = params.get('path') ?? '';
  if (path === '') return undefined;
  return {
    method: params.get('method') ?? 'GET',
    path,
    address: params.get('address') ?? '',
    at: params.get('at') ?? '',
  };
}

/** What is empty is not named. */
export const callParameters = (call: Partial<AddressedCall>): Record<string, string> =>
  Object.fromEntries(names.flatMap((name) => (call[name] ? [[name, call[name]]] : [])));

/** The same address without a call. */
export function withoutCall(params: URLSearchParams): URLSearchParams {
  const others = new URLSearchParams(params);
  for (const name of names) others.delete(name);
  return others;
}
