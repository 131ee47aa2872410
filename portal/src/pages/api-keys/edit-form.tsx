import type { ApiKeyRecord } from '@portico/sdk/portal';
import { portal } from '../../session/portal.ts';
import { visibleText } from '../../ui/visible-text.ts';
import { keyActionWords, keyFormWords } from '../../words/api-keys.tsx';
import { changeOf, draftOf } from './draft.ts';
import type { FormProps } from './form-props.ts';
import { KeyForm } from './key-form.tsx';

/** Another name, other scopes, addresses or expiry. */
export function EditForm({ apiKey, ...props }: FormProps & { apiKey: ApiKeyRecord }) {
  const { manager, attempt } = props;
  return (
    <KeyForm
      {...props}
      start={() => draftOf(apiKey)}
      isNew={false}
      submit={keyFormWords.saveChanges}
      review={{ text: keyFormWords.changeLiveAbout, submit: keyFormWords.changeLive }}
      send={(draft, first) =>
        attempt.run(async () => {
          const change = changeOf(first, draft, Date.now());
          await portal.changeApiKey(manager.workspaceId, apiKey.apiKeyId, change);
          return keyActionWords.changed(visibleText(draft.name));
        }, manager.finish)
      }
    />
  );
}
