import { expect, it } from 'vitest';
import { readReturnPath, signInPath } from '../src/session/return-path.ts';

const pages = ['/files', '/api-keys'];
const back = (asked: string) => readReturnPath(new URLSearchParams({ return: asked }).toString(), pages);

it('leads back to where one was', () => {
  const path = signInPath('/files', '?page=2&sort=fileSize,asc');
  expect(readReturnPath(path.split('?')[1] ?? '', pages)).toBe('/files?page=2&sort=fileSize%2Casc');
  expect(signInPath('/', '')).toBe('/sign-in');
  expect(back('/api-keys')).toBe('/api-keys');
});

it.each([
  '',
  '/',
  'https://evil.example/files',
  '//evil.example',
  '//evil.example/files',
  '/\\evil.example',
  '/files/../../evil',
  '/files#x',
  'javascript:alert(1)',
  '/sign-in?return=/files',
  '~/files',
  ' /files',
])('never leads to %s', (asked) => {
  expect(back(asked)).toBeUndefined();
});
