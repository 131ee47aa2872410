import { Radio, Stack } from '@mantine/core';
import { workspaceRoles } from '@portico/sdk/portal';
import { formatName } from '../../ui/format.ts';
import { rightsWords } from '../../words/members.tsx';
import { uiWords } from '../../words/ui.ts';

/** The roles, with what each may do. */
export function RoleChoice({ role, onChange }: { role: string; onChange(role: string): void }) {
  return (
    <Radio.Group label={uiWords.role} value={role} onChange={onChange}>
      <Stack gap="xs" mt={6}>
        {workspaceRoles.map((each) => (
          <Radio key={each} value={each} label={formatName(each)} description={rightsWords[each]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
