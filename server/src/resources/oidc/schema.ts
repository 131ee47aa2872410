import { Type } from 'typebox';
import { ReturnTo } from './return-to.ts';

export const StartQuery = Type.Object({ returnTo: Type.Optional(ReturnTo) });

/** As the provider sends it; it may send more. */
export const CallbackQuery = Type.Object({
  state: Type.Optional(Type.String({ description: 'What start gave the browser.' })),
  code: Type.Optional(Type.String({ description: 'What the service exchanges for an ID token, once.' })),
  iss: Type.Optional(Type.String({ description: 'The provider, as it calls itself.' })),
  error: Type.Optional(Type.String({ description: 'Why there is no code.', examples: ['access_denied'] })),
});
