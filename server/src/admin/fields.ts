import { type TSchema, Type } from 'typebox';
import { workspaceRoles } from '../auth/portal/roles.ts';
import { isShowable } from '../contract/plain-text.ts';
import { defineRule } from '../contract/validate.ts';

const isId = defineRule('newId', (text) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)
    ? undefined
    : 'must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
);

/** Of what is made; what is there already may have any other. */
export const NewId = Type.String(isId);
export const Name = Type.String({ ...isShowable, maxLength: 128 });
/** What names something that is there. */
export const Named = Type.String({ ...isShowable, maxLength: 254 });
/** As an issuer writes them: nothing is taken off. */
export const OutsideName = Type.String({ ...isShowable, maxLength: 1024 });
export const Role = Type.String({ enum: [...workspaceRoles] });
export const Choice = Type.Optional(Type.Boolean());

export const orNull = <Of extends TSchema>(schema: Of) => Type.Union([schema, Type.Null()]);
