import { Type } from 'typebox';
import { required } from '../../contract/validate.ts';
import { ReturnTo } from './return-to.ts';

export const StartQuery = Type.Object({ returnTo: Type.Optional(ReturnTo) });

export const OpenIdConnectInvitation = Type.Object(
  {
    invitation: Type.String({
      ...required,
      maxLength: 128,
      description: 'What stands behind # in the link of the invitation.',
      examples: ['5Kd3N…'],
    }),
  },
  { title: 'OpenIdConnectInvitation' },
);

export const OpenIdConnectStart = Type.Object(
  {
    url: Type.String({
      description: 'The address at the provider to go to, in the browser that asked.',
      examples: ['https://id.example.com/authorize?client_id=portico'],
    }),
  },
  { title: 'OpenIdConnectStart' },
);

/** As the provider sends it; it may send more. */
export const CallbackQuery = Type.Object({
  state: Type.Optional(Type.String({ description: 'What start gave the browser.' })),
  code: Type.Optional(Type.String({ description: 'What the service exchanges for an ID token, once.' })),
  iss: Type.Optional(Type.String({ description: 'The provider, as it calls itself.' })),
  error: Type.Optional(Type.String({ description: 'Why there is no code.', examples: ['access_denied'] })),
});
