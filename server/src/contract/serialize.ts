import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { once } from './once.ts';

const compiled = new Map<string, (data: unknown) => string>();

/** Every route answers the same errors, so what one schema compiled to serves wherever one like it stands. */
function compile(schema: object): (data: unknown) => string {
  const text = JSON.stringify(schema);
  const known = compiled.get(text) ?? fastJsonStringify(schema);
  compiled.set(text, known);
  return known;
}

export const serializerOf: FastifySerializerCompiler<object> = ({ schema }) => {
  const serialize = once(() => compile(schema));
  return (data) => serialize()(data);
};
