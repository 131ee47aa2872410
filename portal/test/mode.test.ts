import { expect, it } from 'vitest';
import { inMode } from '../src/session/mode.ts';

const to = (mode: 'LIVE' | 'TEST', search: string) => String(inMode(mode, new URLSearchParams(search)));

it('another mode keeps the workspace and the filters, and leaves the page and the open record', () => {
  expect(to('TEST', 'workspace=W&status=FAILED&page=3&transfer=TRF_1')).toBe(
    'workspace=W&status=FAILED&mode=TEST',
  );
  expect(to('LIVE', 'mode=TEST&workspace=W&channel=CH_1&delivery=D_1')).toBe('workspace=W');
});
