import { Tabs } from '@mantine/core';
import bash from '../../../../examples/bash/transfers.sh?raw';
import node from '../../../../examples/node/transfers.mjs?raw';
import python from '../../../../examples/python/transfers.py?raw';
import { Section } from '../../ui/section.tsx';
import { developersWords as words } from '../../words/developers.ts';
import { CodeBlock } from './code-block.tsx';
import classes from './samples.module.css';
import { baseUrl } from './server-urls.ts';

const samples = () => [
  { name: words.curlAndOpenssl, file: 'transfers.sh', run: 'bash', source: bash },
  { name: 'Node', file: 'transfers.mjs', run: 'node', source: node },
  { name: 'Python', file: 'transfers.py', run: 'python3', source: python },
];

/** The secret is read without showing it, and stays out of the history of the shell. */
const commandsOf = (run: string, file: string) =>
  `export PORTICO_URL=${baseUrl}
export PORTICO_KEY_ID=ak_test_…
read -rs PORTICO_SECRET && export PORTICO_SECRET
${run} ${file}`;

/** The files of examples/, which the tests run. */
export function Samples() {
  return (
    <Section title={words.samples} description={words.samplesAbout}>
      <Tabs defaultValue={samples()[0]?.file ?? null} keepMounted={false} className={classes['tabs'] ?? ''}>
        <Tabs.List>
          {samples().map(({ name, file }) => (
            <Tabs.Tab key={file} value={file}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples().map(({ file, run, source }) => (
          <Tabs.Panel key={file} value={file} className={classes['panel'] ?? ''}>
            <CodeBlock title={file} what={words.sample} code={source} />
            <CodeBlock title={words.runIt} what={words.commands} code={commandsOf(run, file)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
