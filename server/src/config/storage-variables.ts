import { hostAndPort, s3Store } from './storage-values.ts';
import { bytes, optional, variable } from './values.ts';

/** Where the bytes of files are, how many there may be, and who looks at them. */
export const storageVariables = {
  PORTICO_UPLOAD_MAX: variable(bytes(1), '104857600', 'Most bytes of a file that is uploaded on the portal.'),
  PORTICO_OPEN_UPLOAD_MAX: variable(
    bytes(1),
    '26214400',
    'Most bytes of a file that is uploaded on the Open API.',
  ),
  PORTICO_STORAGE_QUOTA: variable(
    (value) => (value === 'off' ? undefined : bytes(0)(value)),
    'off',
    'Most bytes of all files of an institution, or `off`.',
  ),
  PORTICO_S3: variable(
    optional(s3Store),
    '',
    'JSON object `{endpoint, region, bucket, accessKeyId, secretAccessKey}`: the S3-compatible store of the bytes of files. Plain http on loopback alone. Unset: the directory `files` of `PORTICO_HOME`, which instances must then share.',
  ),
  PORTICO_CLAMD: variable(
    optional(hostAndPort),
    '',
    '`host:port` of a clamd that looks at every file before it can be downloaded. Unset: nobody does.',
  ),
} as const;
