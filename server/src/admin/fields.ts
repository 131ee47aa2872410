import { type TSchema, Type } from 'typebox';
import { workspaceRoles } from '../auth/portal/roles.ts';
import { defineRule } from '../contract/validate.ts';

/** They end lines, move the cursor, or turn the text around that follows. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

const isPlainText = defineRule('operatorText', (text) => {
  if (text.trim() === '') return 'must not be blank';
  return unprintable.test(text) ? 'must not have control characters' : undefined;
});

const isId = defineRule('newId', (text) =>
  /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(text)
    ? undefined
    : 'must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit',
);

/** Of what is made; what is there already may have any other. */
export const NewId = Type.String(isId);
export const Name = Type.String({ ...isPlainText, maxLength: 128 });
/** What names something that is there. */
export const Named = Type.String({ ...isPlainText, maxLength: 254 });
/** As an issuer writes them: nothing is taken off. */
export const OutsideName = Type.String({ ...isPlainText, maxLength: 1024 });
export const Role = Type.String({ enum: [...workspaceRoles] });
export const Choice = Type.Optional(Type.Boolean());

export const orNull = <Of extends TSchema>(schema: Of) => Type.Union([schema, Type.Null()]);
