import { plural, words } from './words.ts';

/** The fields of a form that a schema describes. */
export const schemaFormWords = words({
  fromTo: [(min: number, max: number) => `From ${min} to ${max}`, (min, max) => `${min} 至 ${max}`],
  kept: ['Never shown again. Left empty, it stays as it is.', '不再显示。留空则保持不变。'],
  sentences: [
    (all: readonly string[]) => all.join('. ').replaceAll('..', '.'),
    (all) => all.join('。').replaceAll('。。', '。'),
  ],
  chooseOne: ['Choose one', '请选择'],
  none: ['None', '无'],
  optional: [(label: string) => `${label} (optional)`, (label) => `${label}（选填）`],
  showTyped: ['Show what was typed', '显示输入内容'],
  needed: [(label: string) => `${label} is needed`, (label) => `请填写${label}`],
  url: [
    'A whole address, such as https://example.com/hooks',
    '请输入完整地址，例如 https://example.com/hooks',
  ],
  email: ['An e-mail address, such as name@example.com', '请输入邮箱地址，例如 name@example.com'],
  match: [(pattern: string) => `Must match ${pattern}`, (pattern) => `必须匹配 ${pattern}`],
  wholeNumber: ['A whole number', '请输入整数'],
  number: ['A number', '请输入数字'],
  json: ['JSON, such as {"name": "value"}', '请输入 JSON，例如 {"name": "value"}'],
  atLeast: [(count: string) => `At least ${count}`, (count) => `不小于 ${count}`],
  atMost: [(count: string) => `At most ${count}`, (count) => `不大于 ${count}`],
  charactersMin: [
    (count: number, shown: string) => `At least ${plural(count, 'character', 'characters', shown)}`,
    (_count, shown) => `至少 ${shown} 个字符`,
  ],
  charactersMax: [
    (count: number, shown: string) => `At most ${plural(count, 'character', 'characters', shown)}`,
    (_count, shown) => `最多 ${shown} 个字符`,
  ],
});
