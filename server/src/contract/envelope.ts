import { type TSchema, Type } from 'typebox';

const envelopeVersion = '1.0.0';
export const successCode = '2000';
const successMessage = 'SUCCESS';

const head = {
  code: Type.Literal(successCode, { description: 'Always 2000 on success.' }),
  message: Type.Literal(successMessage),
};

export function Envelope<Data extends TSchema>(data: Data) {
  return Type.Object({
    version: Type.String({ description: 'Version of the envelope.', examples: [envelopeVersion] }),
    timestamp: Type.Integer({ description: 'Epoch milliseconds.', examples: [1767225600000] }),
    success: Type.Literal(true),
    ...head,
    data,
  });
}

/** Of what leaves nothing to show. */
export const NoData = Type.Null({ description: 'Nothing: it is done.', examples: [null] });

/** The channel-type query answers without version, timestamp and success. */
export function LeanEnvelope<Data extends TSchema>(data: Data) {
  return Type.Object({ ...head, data });
}

/** The response schema decides which of these members leave. */
export function ok<Data>(data: Data, nowMs: number) {
  return {
    version: envelopeVersion,
    timestamp: nowMs,
    success: true,
    code: successCode,
    message: successMessage,
    data,
  };
}

/** The same around data that is JSON already; without a time, the lean envelope. */
export function okText(data: string, nowMs?: number): string {
  const full =
    nowMs === undefined ? '' : `"version":"${envelopeVersion}","timestamp":${nowMs},"success":true,`;
  return `{${full}"code":"${successCode}","message":"${successMessage}","data":${data}}`;
}
