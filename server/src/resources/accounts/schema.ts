import { Type } from 'typebox';
import { required } from '../../contract/validate.ts';

export const Login = Type.Object(
  {
    email: Type.String({ ...required, maxLength: 320, examples: ['owner@demo.test'] }),
    password: Type.String({ minLength: 1, maxLength: 1024, examples: ['portico-demo'] }),
    session: Type.Optional(
      Type.String({
        enum: ['cookie'],
        description: 'Keep the refresh token in an HttpOnly cookie instead of the body.',
      }),
    ),
  },
  { title: 'Login' },
);

export const RefreshRequest = Type.Object(
  {
    refreshToken: Type.Optional(
      Type.String({ ...required, maxLength: 128, description: 'Absent in a cookie session.' }),
    ),
  },
  { title: 'RefreshRequest' },
);

export const Tokens = Type.Object(
  {
    accessToken: Type.String(),
    tokenType: Type.Literal('Bearer'),
    expiresIn: Type.Integer({ description: 'Seconds the access token lives.' }),
    refreshToken: Type.Optional(Type.String({ description: 'Absent in a cookie session.' })),
    refreshExpiresIn: Type.Integer({ description: 'Seconds the refresh token lives.' }),
  },
  { title: 'Tokens' },
);

export const Me = Type.Object(
  {
    account: Type.Object({ bizId: Type.String(), email: Type.String(), name: Type.String() }),
    institutions: Type.Array(Type.Object({ bizId: Type.String(), name: Type.String() })),
    workspaces: Type.Array(
      Type.Object({
        bizId: Type.String(),
        name: Type.String(),
        institutionBizId: Type.String(),
        role: Type.String({ enum: ['OWNER', 'VIEWER'] }),
      }),
    ),
  },
  { title: 'Me' },
);

export const SignInConfig = Type.Object(
  {
    turnstileSiteKey: Type.Union([Type.String(), Type.Null()], {
      description: 'For the widget of the sign-in page.',
    }),
  },
  { title: 'SignInConfig' },
);
