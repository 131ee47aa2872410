import type { ApiKeyRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import { changeOf, draftOf } from './draft.ts';
import type { FormProps } from './form-props.ts';
import { KeyForm } from './key-form.tsx';

const review = {
  text: 'This changes a LIVE key. Its next call is judged by what you set here.',
  submit: 'Change LIVE key',
};

/** Another name, other scopes, addresses or expiry. */
export function EditForm({ apiKey, ...props }: FormProps & { apiKey: ApiKeyRecord }) {
  const { manager, attempt } = props;
  return (
    <KeyForm
      {...props}
      start={() => draftOf(apiKey)}
      isNew={false}
      submit="Save changes"
      review={review}
      send={(draft, first) =>
        attempt.run(async () => {
          const change = changeOf(first, draft, Date.now());
          await portal.changeApiKey(manager.workspaceId, apiKey.apiKeyId, change);
          return `${draft.name} is changed`;
        }, manager.finish)
      }
    />
  );
}
