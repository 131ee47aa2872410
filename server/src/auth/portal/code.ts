import { Type } from 'typebox';
import { required } from '../../contract/validate.ts';

/** What proves the second factor. */
export const codeOptions = {
  ...required,
  maxLength: 64,
  description: 'Six digits of the second factor, or a recovery code. Works once.',
};

export const Code = Type.String({ ...codeOptions, examples: ['123456'] });
