import { Radio, Stack } from '@mantine/core';
import { workspaceRoles } from '@portico/sdk/portal';
import { formatName } from '../../ui/format.ts';

const about: Record<(typeof workspaceRoles)[number], string> = {
  OWNER: 'Everything, API keys, members and the audit log included',
  MEMBER: 'Reads, and works with files and transfers',
  VIEWER: 'Reads',
};

/** The roles, with what each may do. */
export function RoleChoice({ role, onChange }: { role: string; onChange(role: string): void }) {
  return (
    <Radio.Group label="Role" value={role} onChange={onChange}>
      <Stack gap="xs" mt={6}>
        {workspaceRoles.map((each) => (
          <Radio key={each} value={each} label={formatName(each)} description={about[each]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
