import { host } from './address-values.ts';
import { isExposed, isText, json, port, url } from './values.ts';

export type S3Store = {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
};

export type HostAndPort = { host: string; port: number };

/** An IPv6 address stands in brackets. */
export function hostAndPort(value: string): HostAndPort {
  const [, bracketed, plain, digits = ''] =
    /^(?:\[([0-9A-Fa-f:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const name = bracketed ?? plain;
  if (name === undefined || Number(digits) === 0) throw new Error('must be host:port');
  return { host: host(name), port: port(digits) };
}

export function s3Store(value: string): S3Store {
  const given = (json(value) ?? {}) as Partial<S3Store>; // looked at below
  const { endpoint, region, bucket, accessKeyId, secretAccessKey } = given;
  if (
    !isText(endpoint) ||
    !isText(region) ||
    !isText(bucket) ||
    !isText(accessKeyId) ||
    !isText(secretAccessKey)
  )
    throw new Error('must be a JSON object with endpoint, region, bucket, accessKeyId and secretAccessKey');
  const { origin, username, password, pathname, search, hash } = new URL(url('https:', 'http:')(endpoint));
  if (isExposed(endpoint)) throw new Error('endpoint must be https, unless its host is loopback');
  if (`${username}${password}${pathname}${search}${hash}` !== '/')
    throw new Error('endpoint must be scheme, host and port alone');
  if (!/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(bucket))
    throw new Error('bucket must be the name of a bucket');
  if (![region, accessKeyId, secretAccessKey].every((text) => /^[!-~]{1,256}$/.test(text)))
    throw new Error(
      'region, accessKeyId and secretAccessKey must be printable ASCII of at most 256 characters',
    );
  return { endpoint: origin, region, bucket, accessKeyId, secretAccessKey };
}
