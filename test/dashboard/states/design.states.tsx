import { Badge, Icon, iconNames, Meter } from '../../../src/dashboard/design/basics.tsx'
import { CopyButton, Problem } from '../../../src/dashboard/design/elements.tsx'
import { Choice } from '../../../src/dashboard/design/form.tsx'
import { JsonText } from '../../../src/dashboard/design/message-parts.tsx'
import { VirtualList } from '../../../src/dashboard/design/virtual-list.tsx'
import { Banner } from '../../../src/dashboard/shell/shell.tsx'
import { createNotices } from '../../../src/dashboard/state/live.ts'
import type { ComponentStates } from './states.ts'

const act = () => {}
const tones = ['plain', 'good', 'info', 'warn', 'bad'] as const
const numbers = Array.from({ length: 1_000 }, (_, index) => index)

export const all: readonly ComponentStates[] = [
  {
    component: 'Badge',
    states: Object.fromEntries(tones.map(tone => [tone, () => <Badge tone={tone}>{tone}</Badge>])),
  },
  {
    component: 'Banner',
    states: {
      plain: () => (
        <Banner isBad={false} text="Dismiss" act={act}>
          The server was restarted at 12:00:00.
        </Banner>
      ),
      bad: () => (
        <Banner isBad={true} text="Try now" act={act}>
          The server does not answer.
        </Banner>
      ),
    },
  },
  {
    component: 'Problem',
    states: {
      'only a title': () => <Problem title="No request matches" />,
      'with a text': () => <Problem title="No request matches">Other filters show more.</Problem>,
    },
  },
  {
    component: 'Meter',
    states: {
      full: () => <Meter label="Left this minute" value={60} max={60} />,
      'below a quarter': () => <Meter label="Left this minute" value={9} max={60} />,
      empty: () => <Meter label="Left this minute" value={0} max={60} />,
      'no quota at all': () => <Meter label="Left this minute" value={0} max={0} />,
    },
  },
  {
    component: 'Choice',
    states: {
      any: () => <Choice label="Status" value="" values={['2xx', '4xx']} onChange={act} />,
      chosen: () => <Choice label="Status" value="4xx" values={['2xx', '4xx']} onChange={act} />,
      'a value that is not known': () => <Choice label="Key" value="gone" values={[]} onChange={act} />,
    },
  },
  { component: 'CopyButton', states: { usual: () => <CopyButton text="text" notices={createNotices()} /> } },
  {
    component: 'Icon',
    states: {
      all: () => (
        <div>
          {iconNames.map(name => (
            <Icon key={name} name={name} />
          ))}
        </div>
      ),
    },
  },
  {
    component: 'JsonText',
    states: {
      JSON: () => (
        <JsonText text='{"id":9007199254740993,"name":"<b>Rex</b>","tags":[],"sold":false,"at":null}' />
      ),
      'JSON that was cut': () => <JsonText text='[{"id":1,"name":"Re' />,
      'other text': () => <JsonText text="<h1>502 Bad Gateway</h1>" />,
    },
  },
  {
    component: 'VirtualList',
    states: {
      'many rows': () => (
        <VirtualList items={numbers} keyOf={number => number} rowHeight={30} label="Numbers" shown={500}>
          {number => <a href={`#${number}`}>Row {number}</a>}
        </VirtualList>
      ),
      'no rows': () => (
        <VirtualList items={[] as number[]} keyOf={number => number} rowHeight={30} label="Nothing">
          {number => <span>{number}</span>}
        </VirtualList>
      ),
    },
  },
]
