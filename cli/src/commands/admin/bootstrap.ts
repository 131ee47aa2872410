import { migratingNote } from '../../database.ts';
import { newId, taskCommand } from './define.ts';

export const bootstrapCommand = taskCommand('bootstrap', 'bootstrap', {
  summary: 'begin on an empty database: an institution, a workspace, and the link of its owner',
  options: {
    institution: newId('institution'),
    'institution-name': { type: 'string', value: 'NAME', about: 'its name' },
    workspace: newId('workspace'),
    'workspace-name': { type: 'string', value: 'NAME', about: 'its name' },
    'owner-email': { type: 'string', value: 'EMAIL', about: 'who will own the workspace' },
  },
  note: migratingNote,
  notes: `url is shown this once and works once, for seven days: whoever opens it at PORTICO_PUBLIC_URL gives a name and a password and
owns the workspace. A database that has institutions or accounts already is refused and left as it is. A link that was lost:
portico admin member invite makes another.`,
  examples: [
    ' --institution INST_ACME --institution-name "Acme Bank" --workspace WS_ACME --workspace-name "Acme Workspace" --owner-email owner@acme.example',
  ],
});
