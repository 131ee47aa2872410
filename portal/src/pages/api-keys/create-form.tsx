import { useMode } from '../../session/mode.ts';
import { portal } from '../../session/portal.ts';
import { apiKeysWords, keyFormWords } from '../../words/api-keys.tsx';
import { emptyDraft, newKeyOf } from './draft.ts';
import type { IssuingProps } from './form-props.ts';
import { KeyForm } from './key-form.tsx';

/** A new key: what it is, then for LIVE a second look, then its secret. */
export function CreateForm({ onIssued, ...props }: IssuingProps) {
  const { manager, attempt } = props;
  const mode = useMode();
  return (
    <KeyForm
      {...props}
      start={() => emptyDraft(manager.powers.mayTest ? mode : 'LIVE')}
      isNew
      submit={apiKeysWords.create}
      review={{ text: keyFormWords.createLiveAbout, submit: keyFormWords.createLive }}
      send={(draft) =>
        attempt.run(
          () => portal.createApiKey(manager.workspaceId, newKeyOf(draft, Date.now())),
          (key) => onIssued({ how: 'created', key }),
        )
      }
    />
  );
}
