import { Text } from '@mantine/core';
import { IconBook2, IconBraces, IconExternalLink } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CopyButton } from '../../ui/copy-button.tsx';
import { developersWords as words } from '../../words/developers.ts';
import classes from './endpoints.module.css';
import { baseUrl, descriptionUrl, referenceUrl } from './server-urls.ts';

function DocumentLink(props: { href: string; name: string; icon: ReactNode; children: string }) {
  const { href, name, icon, children } = props;
  return (
    <div className={classes['card']} data-opens>
      <span className={classes['icon']}>{icon}</span>
      <div className={classes['text']}>
        <a className={classes['link']} href={href} target="_blank" rel="noreferrer">
          {name}
        </a>
        <Text size="sm" c="dimmed">
          {children}
        </Text>
      </div>
      <IconExternalLink size={16} aria-hidden className={classes['out']} />
    </div>
  );
}

/** Where the service is, and where it is described. */
export function Endpoints() {
  return (
    <div className={classes['cards']}>
      <div className={classes['card']}>
        <div className={classes['text']}>
          <Text size="sm" c="dimmed">
            {words.baseUrl}
          </Text>
          <code className={classes['url']}>{baseUrl}</code>
        </div>
        <CopyButton value={baseUrl} what={words.baseUrlCopy} />
      </div>
      <DocumentLink href={referenceUrl} name={words.reference} icon={<IconBook2 size={20} aria-hidden />}>
        {words.referenceAbout}
      </DocumentLink>
      <DocumentLink
        href={descriptionUrl}
        name={words.description}
        icon={<IconBraces size={20} aria-hidden />}
      >
        {words.descriptionAbout}
      </DocumentLink>
    </div>
  );
}
