import { Type } from 'typebox';
import { codeOptions } from '../../auth/portal/code.ts';
import { NewPassword } from '../../auth/portal/password-rule.ts';
import { portalKinds } from '../../config/values.ts';
import { required } from '../../contract/validate.ts';

const email = Type.String({
  ...required,
  maxLength: 320,
  description: 'E-mail address of the account; capitals do not matter.',
  examples: ['owner@demo.test'],
});

export const Login = Type.Object(
  {
    email,
    password: Type.String({
      minLength: 1,
      maxLength: 1024,
      description: 'Password of the account.',
      examples: ['portico-demo'],
    }),
    code: Type.Optional(Type.String(codeOptions)),
    session: Type.Optional(
      Type.String({
        enum: ['cookie'],
        description: 'Keep the refresh token in an HttpOnly cookie instead of the body.',
      }),
    ),
  },
  { title: 'Login' },
);

export const PasswordResetRequest = Type.Object({ email }, { title: 'PasswordResetRequest' });

export const PasswordReset = Type.Object(
  {
    token: Type.String({
      ...required,
      maxLength: 128,
      description: 'What the link carries behind #.',
      examples: ['0mN4…'],
    }),
    newPassword: NewPassword,
  },
  { title: 'PasswordReset' },
);

export const RefreshRequest = Type.Object(
  {
    refreshToken: Type.Optional(
      Type.String({
        ...required,
        maxLength: 128,
        description: 'Absent in a cookie session.',
        examples: ['rt_…'],
      }),
    ),
  },
  { title: 'RefreshRequest' },
);

export const OpenIdConnectOffer = Type.Object(
  { label: Type.String({ description: 'What the provider is called.', examples: ['Example ID'] }) },
  { title: 'OpenIdConnectOffer' },
);

export const DemoWorld = Type.Object(
  {
    accounts: Type.Array(Type.String(), {
      description: 'E-mail addresses of the accounts one can sign in with.',
      examples: [['owner@demo.test', 'viewer@demo.test']],
    }),
    password: Type.String({ description: 'Their password, which is published.', examples: ['portico-demo'] }),
  },
  { title: 'DemoWorld' },
);

export const SignInConfig = Type.Object(
  {
    turnstileSiteKey: Type.Union([Type.String(), Type.Null()], {
      description: 'For the widget of the sign-in page; null when there is none.',
      examples: ['1x00000000000000000000AA'],
    }),
    portal: Type.Union([Type.String({ enum: [...portalKinds] }), Type.Null()], {
      description: 'The kind of portal the request came through; null: none. Only PARTNER makes TEST keys.',
      examples: ['PARTNER'],
    }),
    openIdConnect: Type.Union([OpenIdConnectOffer, Type.Null()], {
      description:
        'The provider at which one can sign in, by GET /web/v1/auth/oidc/start; null when there is none.',
      examples: [{ label: 'Example ID' }],
    }),
    demo: Type.Union([DemoWorld, Type.Null()], {
      description: 'Whom one can be in the demo; null: this is no demo.',
      examples: [null],
    }),
    hasPasswordReset: Type.Boolean({
      description: 'A link to set the password anew can be mailed.',
      examples: [true],
    }),
  },
  { title: 'SignInConfig' },
);
