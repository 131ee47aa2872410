import { type TObject, Type } from 'typebox';

/** A request that the service sends to whoever asked for it. */
export type Webhook = {
  name: string;
  operationId: string;
  summary: string;
  body: TObject;
  /** What its example shows, where the examples of the fields together would say something else. */
  shown: { data: object };
};

const header = (name: string, description: string, example: string) => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: Type.String({ examples: [example] }),
});

const parameters = [
  header('webhook-id', 'The eventId, the same in every attempt.', 'EVT_120345'),
  header('webhook-timestamp', 'Epoch seconds of the attempt.', '1767225600'),
  header(
    'webhook-signature',
    'One or several of v1, a comma and the base64 HMAC-SHA256 of id, timestamp and body, each after a point, separated by spaces.',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
];

/** How it is described: the part of OpenAPI that says what comes instead of what may be asked. */
export const describeWebhook = ({ operationId, summary, body }: Webhook) => ({
  post: {
    tags: ['Events'],
    operationId,
    summary,
    description: 'Sent by a channel of the type WEBHOOK, as Standard Webhooks says.',
    parameters,
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { '2XX': { description: 'Taken. Anything else is tried again; 410 disables the channel.' } },
  },
});
