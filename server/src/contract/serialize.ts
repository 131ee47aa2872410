import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

const compiled = new WeakMap<object, (data: unknown) => string>();

/** Every route answers the same errors, so what one schema compiled to serves wherever the schema stands. */
export const serializerOf: FastifySerializerCompiler<object> = ({ schema }) => {
  const known = compiled.get(schema) ?? fastJsonStringify(schema);
  compiled.set(schema, known);
  return known;
};
