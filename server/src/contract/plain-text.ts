import { defineRule } from './validate.ts';

/** Signs that end lines, move the cursor, or turn the text around that follows. */
export const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/** What is shown to people beside other text: a name, or what names something. */
export const isShowable = defineRule('showable', (text) => {
  if (text.trim() === '') return 'must not be blank';
  return unprintable.test(text) ? 'must not have control characters' : undefined;
});
