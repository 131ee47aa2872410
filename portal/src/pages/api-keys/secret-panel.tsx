import { Button } from '@mantine/core';
import type { CreatedApiKey } from '@portico/sdk/portal';
import { IconDownload } from '@tabler/icons-react';
import { LostOnce, ShownOnce } from '../../ui/shown-once.tsx';
import { visibleText } from '../../ui/visible-text.ts';
import { apiKeysWords, keyActionWords, secretWords } from '../../words/api-keys.tsx';
import { useShowMode } from './list.ts';
import type { Manager } from './manager.ts';
import { KeyBand } from './marks.tsx';
import { downloadSecret } from './secret-file.ts';

/** A secret that is shown once. */
export type Issued = { how: 'created' | 'rotated'; key: CreatedApiKey };

/** Key id and secret in full, once, and no way on before they are stored. */
export function SecretPanel({ issued: { key, how }, manager }: { issued: Issued; manager: Manager }) {
  const { apiKeyId, secret, name, mode } = key;
  const showMode = useShowMode();
  const finish = () => {
    manager.finish(keyActionWords[how](visibleText(name)));
    showMode(mode === 'TEST' ? 'TEST' : 'LIVE');
  };
  const id = { name: apiKeysWords.keyId, value: apiKeyId };
  if (secret === null)
    return (
      <LostOnce values={[id]} onClose={finish}>
        {secretWords.lost(keyActionWords[how](`“${visibleText(name)}”`))}
      </LostOnce>
    );
  return (
    <ShownOnce
      band={<KeyBand mode={mode} />}
      about={secretWords.store(visibleText(name))}
      values={[id, { name: secretWords.secret, value: secret }]}
      onDone={finish}
    >
      <div>
        <Button
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          onClick={() => downloadSecret({ apiKeyId, secret })}
        >
          {secretWords.download}
        </Button>
      </div>
    </ShownOnce>
  );
}
