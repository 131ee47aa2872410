import { chooseTimeZone } from '../session/time-zone.ts';
import { useTimeZone } from '../ui/time.ts';
import { appWords } from '../words/app.tsx';
import { SwitchGroup } from './switch-group.tsx';

export function TimeZoneSwitch() {
  return (
    <SwitchGroup
      label={appWords.times}
      value={useTimeZone()}
      onChoose={chooseTimeZone}
      choices={[
        { value: 'local', name: appWords.localTimes, shown: appWords.local },
        { value: 'UTC', name: appWords.utcTimes, shown: 'UTC' },
      ]}
    />
  );
}
