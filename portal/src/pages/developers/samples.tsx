import { Tabs } from '@mantine/core';
import bash from '../../../../examples/bash/transfers.sh?raw';
import node from '../../../../examples/node/transfers.mjs?raw';
import python from '../../../../examples/python/transfers.py?raw';
import { Section } from '../../ui/section.tsx';
import { CodeBlock } from './code-block.tsx';
import classes from './samples.module.css';
import { baseUrl } from './server-urls.ts';

const samples = [
  { name: 'curl and openssl', file: 'transfers.sh', run: 'bash', source: bash },
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
    <Section
      title="Samples"
      description="Each lists the transfers of a workspace, page by page, without any library. The key needs the scope transfers:read."
    >
      <Tabs defaultValue={samples[0]?.file ?? null} keepMounted={false} className={classes['tabs'] ?? ''}>
        <Tabs.List>
          {samples.map(({ name, file }) => (
            <Tabs.Tab key={file} value={file}>
              {name}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {samples.map(({ file, run, source }) => (
          <Tabs.Panel key={file} value={file} className={classes['panel'] ?? ''}>
            <CodeBlock title={file} what="sample" code={source} />
            <CodeBlock title="Run it" what="commands" code={commandsOf(run, file)} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Section>
  );
}
